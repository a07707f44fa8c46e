import { ActionIcon, Button, MultiSelect, TextInput, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import { alertSeverityValues } from '@/graphql/generated/enums';
import { listMark } from '@/i18n/locale';
import { freeKey, type RouteForm } from './form';
import { ReceiverFields } from './receiver-fields';
import classes from './rules.module.css';
import type { SectionProps } from './sections';

const example = '12:00, 18:00';

/** Who is told of which severity, at once or in digests. */
export function RoutesSection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  const change = (key: number, over: Partial<RouteForm>) =>
    set({ routes: form.routes.map((each) => (each.key === key ? { ...each, ...over } : each)) });
  const add = () =>
    set({
      routes: [
        ...form.routes,
        {
          key: freeKey(form.routes),
          severities: ['WARNING'],
          channels: [],
          people: [],
          digestAt: example,
        },
      ],
    });
  return (
    <Panel title={t('routes.title')}>
      <div className={classes.stack}>
        <p className={classes.hint}>{t('routes.hint')}</p>
        {form.routes.map((route, i) => (
          <RouteRow
            key={route.key}
            route={route}
            path={`input.routes.${i}`}
            errors={errors}
            onChange={(over) => change(route.key, over)}
            onRemove={() => set({ routes: form.routes.filter((r) => r.key !== route.key) })}
          />
        ))}
        {errors['input.routes'] ? (
          <p className={classes.error} role="alert">
            {errors['input.routes']}
          </p>
        ) : null}
        <div>
          <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add}>
            {t('routes.add')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function RouteRow(props: {
  route: RouteForm;
  path: string;
  errors: SectionProps['errors'];
  onChange: (over: Partial<RouteForm>) => void;
  onRemove: () => void;
}) {
  const { route, path, errors, onChange } = props;
  const { t, i18n } = useTranslation('rules');
  const { t: ta } = useTranslation('alerts');
  const { t: tc } = useTranslation();
  return (
    <fieldset className={classes.row}>
      <legend className="bf-sr">
        {route.severities.map((s) => ta(`severity.${s}`)).join(listMark(i18n.language))}
      </legend>
      <div className={classes.rowFields}>
        <MultiSelect
          label={t('routes.severities')}
          value={route.severities}
          data={alertSeverityValues.map((value) => ({ value, label: ta(`severity.${value}`) }))}
          onChange={(values) =>
            onChange({ severities: alertSeverityValues.filter((s) => values.includes(s)) })
          }
          error={errors[`${path}.severities`] ?? errors[path]}
        />
        <ReceiverFields
          channels={route.channels}
          people={route.people}
          onChannels={(channels) => onChange({ channels })}
          onPeople={(people) => onChange({ people })}
          errors={{ channels: errors[`${path}.channels`], people: errors[`${path}.people`] }}
        />
        <TextInput
          label={t('routes.digestAt')}
          description={t('routes.digestHint')}
          placeholder={t('routes.atOnce')}
          value={route.digestAt}
          onChange={(event) => onChange({ digestAt: event.currentTarget.value })}
          error={errors[`${path}.digestAt`]}
        />
      </div>
      <Tooltip label={tc('actions.delete')}>
        <ActionIcon aria-label={tc('actions.delete')} onClick={props.onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}
