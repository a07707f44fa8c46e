import { SegmentedControl, Select, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { switchLocale } from '@/i18n/i18n';
import { localeNames, locales, toLocale } from '@/i18n/locale';
import { type TimeView, timeViews, useTimeSettings } from '@/time/view';
import { schemes } from './scheme';

/** On whose wall clock the page shows its times. */
export function TimeViewPicker({ fullWidth = false }: { fullWidth?: boolean }) {
  const { t } = useTranslation('shell');
  const { view, setView } = useTimeSettings();
  return (
    <SegmentedControl
      fullWidth={fullWidth}
      aria-label={t('timeView.label')}
      value={view}
      onChange={(value) => setView(value as TimeView)}
      data={timeViews.map((value) => ({ value, label: t(`timeView.${value}`) }))}
    />
  );
}

export function SchemePicker() {
  const { t } = useTranslation('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('scheme.label')}
      value={colorScheme}
      onChange={(value) => setColorScheme(schemes.find((s) => s === value) ?? 'auto')}
      data={schemes.map((value) => ({ value, label: t(`scheme.${value}`) }))}
    />
  );
}

export function LanguagePicker({ label = true }: { label?: boolean }) {
  const { t, i18n } = useTranslation('shell');
  return (
    <Select
      aria-label={t('language')}
      label={label ? t('language') : undefined}
      value={i18n.language}
      data={locales.map((value) => ({ value, label: localeNames[value] }))}
      onChange={(value) => {
        const locale = toLocale(value);
        if (locale) void switchLocale(i18n, locale);
      }}
    />
  );
}
