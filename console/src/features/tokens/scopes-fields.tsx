import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TokenScope } from '@/graphql/generated/enums';
import { areas } from './scopes';
import classes from './tokens.module.css';

interface ScopesFieldsProps {
  value: readonly TokenScope[];
  onChange: (value: TokenScope[]) => void;
}

/** What a token may do, by area. */
export function ScopesFields({ value, onChange }: ScopesFieldsProps) {
  const { t } = useTranslation('tokens');
  const box = (scope: TokenScope, label: string) => (
    <Checkbox
      aria-label={label}
      checked={value.includes(scope)}
      onChange={(event) =>
        onChange(
          event.currentTarget.checked ? [...value, scope] : value.filter((each) => each !== scope),
        )
      }
    />
  );
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.label}>{t('scopes')}</legend>
      <p className={classes.hint}>{t('scopesHint')}</p>
      <table className={classes.scopes}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('read')}</th>
            <th scope="col">{t('write')}</th>
          </tr>
        </thead>
        <tbody>
          {areas.map(({ area, read, write }) => {
            const name = t(`area.${area}`);
            return (
              <tr key={area}>
                <th scope="row">{name}</th>
                <td>{box(read, t('readArea', { area: name }))}</td>
                <td>{write ? box(write, t('writeArea', { area: name })) : null}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </fieldset>
  );
}
