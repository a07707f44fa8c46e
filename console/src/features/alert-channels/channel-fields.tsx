import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { channelKindValues, smtpSecurityValues } from '@/graphql/generated/enums';
import { localeNames, locales } from '@/i18n/locale';
import classes from './channels.module.css';
import { type ChannelForm, type FieldSpec, fieldsOf, inputNames, newChannel } from './form';
import { ChannelKindsQuery } from './queries';

export interface ChannelFieldsProps {
  form: ChannelForm;
  onChange: (form: ChannelForm) => void;
  errors: Partial<Record<string, string>>;
  /** Secrets that the server has; their fields may stay empty. */
  kept: ReadonlySet<string>;
  /** The kind can be chosen: it is a new channel. */
  isNew: boolean;
}

/** The paths at which the server can refuse something of such a form. */
export function channelPaths(form: ChannelForm): string[] {
  const own = `input.${inputNames[form.kind]}`;
  return [
    'input.name',
    'input.kind',
    'input.language',
    'input.perMinute',
    'input.burst',
    'input.maxAge',
    ...fieldsOf[form.kind].map((spec) => `${own}.${spec.name}`),
  ];
}

/** Name, kind with its settings, language and limits of a channel. */
export function ChannelFields(props: ChannelFieldsProps) {
  const { form, onChange, errors } = props;
  const { t } = useTranslation('channels');
  const { t: td } = useTranslation('deliveries');
  const set = (over: Partial<ChannelForm>) => onChange({ ...form, ...over });
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <TextInput
          withAsterisk
          aria-required
          label={t('name')}
          description={t('nameHint')}
          value={form.name}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={errors['input.name']}
        />
        {props.isNew ? (
          <Select
            label={t('kind')}
            value={form.kind}
            data={channelKindValues.map((value) => ({ value, label: td(`kind.${value}`) }))}
            onChange={(value) => {
              const kind = channelKindValues.find((k) => k === value) ?? form.kind;
              onChange({ ...newChannel(kind, form.language), name: form.name });
            }}
            error={errors['input.kind']}
          />
        ) : null}
      </div>
      <Help kind={form.kind} />
      <div className={classes.fields}>
        {fieldsOf[form.kind].map((spec) => (
          <SettingField
            key={`${form.kind} ${spec.name}`}
            spec={spec}
            kept={props.kept.has(spec.name)}
            value={form.settings[spec.name] ?? ''}
            onChange={(value) => set({ settings: { ...form.settings, [spec.name]: value } })}
            error={errors[`input.${inputNames[form.kind]}.${spec.name}`]}
          />
        ))}
      </div>
      <Limits {...props} />
    </div>
  );
}

/** Where the address and the secret are found, and what the service limits. */
function Help({ kind }: { kind: ChannelForm['kind'] }) {
  const { t } = useTranslation('channels');
  return (
    <div className={classes.help}>
      <p className={classes.helpTitle}>{t('help.title')}</p>
      <p>{t(`help.${kind}`)}</p>
      <p className={classes.quiet}>{t(`limits.${kind}`)}</p>
    </div>
  );
}

function SettingField(props: {
  spec: FieldSpec;
  kept: boolean;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { spec, kept, value, onChange, error } = props;
  const { t } = useTranslation('channels');
  const { t: ta } = useTranslation('auth');
  const label = t(`setting.${spec.name as 'url'}`);
  const hint = t(`settingHint.${spec.name as 'url'}`);
  const isList = spec.type === 'lines' || spec.type === 'keys' || spec.type === 'pairs';
  const shared = {
    label,
    description: !kept ? hint : isList ? `${hint} ${t('keptLines')}` : t('kept'),
    placeholder: kept && !isList ? t('keptShort') : spec.example,
    withAsterisk: spec.required === true && !kept,
    value,
    error,
    autoComplete: 'off',
  };
  const typed = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value);
  if (spec.type === 'security') {
    return (
      <Select
        label={label}
        description={t('settingHint.security')}
        value={value}
        data={smtpSecurityValues.map((v) => ({ value: v, label: t(`security.${v}`) }))}
        onChange={(chosen) => onChange(chosen ?? value)}
        error={error}
      />
    );
  }
  if (isList) {
    return <Textarea {...shared} autosize minRows={2} spellCheck={false} onChange={typed} />;
  }
  if (spec.type === 'secret') {
    return (
      <PasswordInput
        {...shared}
        size="xs"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': ta('showPassword') }}
        onChange={typed}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      inputMode={spec.type === 'number' ? 'numeric' : undefined}
      spellCheck={false}
      onChange={typed}
    />
  );
}

function Limits({ form, onChange, errors }: ChannelFieldsProps) {
  const { t } = useTranslation('channels');
  const [result] = useQuery({ query: ChannelKindsQuery });
  const info = result.data?.channelKinds.find((each) => each.kind === form.kind);
  const field = (key: 'perMinute' | 'burst' | 'maxAge', usual: string | undefined) => (
    <TextInput
      label={t(key)}
      description={t(`${key}Hint`)}
      placeholder={usual ? t('usual', { value: usual }) : undefined}
      inputMode={key === 'maxAge' ? undefined : 'numeric'}
      value={form[key]}
      onChange={(event) => onChange({ ...form, [key]: event.currentTarget.value })}
      error={errors[`input.${key}`]}
    />
  );
  return (
    <div className={classes.fields}>
      <Select
        label={t('language')}
        description={t('languageHint')}
        value={form.language}
        data={locales.map((value) => ({ value, label: localeNames[value] }))}
        onChange={(value) => onChange({ ...form, language: value ?? form.language })}
        error={errors['input.language']}
      />
      {field('perMinute', info && String(info.perMinute))}
      {field('burst', info && String(info.burst))}
      {field('maxAge', undefined)}
    </div>
  );
}
