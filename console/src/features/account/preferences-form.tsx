import { Button, Select } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { Notice } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import { switchLocale } from '@/i18n/i18n';
import { localeNames, locales, toLocale } from '@/i18n/locale';
import type { Viewer } from '@/session/session';
import { allZones, browserZone } from '@/time/format';
import classes from './account.module.css';
import { useUpdateViewer } from './use-update-viewer';

const paths = ['input.locale', 'input.timeZone'] as const;

/** Language and time zone, kept with the account and so the same in every browser. */
export function PreferencesForm({ viewer }: { viewer: Viewer }) {
  const { t, i18n } = useTranslation('account');
  const { t: tc } = useTranslation();
  const { t: ts } = useTranslation('shell');
  const [locale, setLocale] = useState(viewer.locale ?? i18n.language);
  const [zone, setZone] = useState(viewer.timeZone ?? 'browser');
  const action = useUpdateViewer('saved');
  const errors = fieldErrors(action.userErrors, paths);
  const zones = useMemo(
    () => [
      { value: 'browser', label: t('browserZone', { zone: browserZone() }) },
      ...allZones().map((value) => ({ value, label: value })),
    ],
    [t],
  );

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { payload } = await action.run({ input: { locale, timeZone: zone } });
    const chosen = toLocale(locale);
    if (payload && chosen) await switchLocale(i18n, chosen);
  };

  return (
    <Panel title={t('preferences')}>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        {errors.rest.map((message) => (
          <Notice key={message} tone="fail">
            {message}
          </Notice>
        ))}
        <Select
          label={ts('language')}
          value={locale}
          data={locales.map((value) => ({ value, label: localeNames[value] }))}
          onChange={(value) => setLocale(value ?? locale)}
          error={errors.at['input.locale']}
        />
        <Select
          label={t('zone')}
          description={t('zoneHint')}
          searchable
          limit={200}
          value={zone}
          data={zones}
          onChange={(value) => setZone(value ?? 'browser')}
          error={errors.at['input.timeZone']}
        />
        <div>
          <Button type="submit" loading={action.busy}>
            {tc('actions.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
