import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Notice, SkeletonLines } from '@/components/ui/states';
import { IncidentsQuery } from '@/features/incidents/queries';
import { describeError } from '@/graphql/error';
import { type MessageKind, messageKindValues } from '@/graphql/generated/enums';
import { localeNames, locales } from '@/i18n/locale';
import classes from './channels.module.css';
import type { ChannelForm, TemplateForm } from './form';
import { MessagePreviewQuery } from './queries';

interface TemplatesProps {
  form: ChannelForm;
  onChange: (templates: TemplateForm[]) => void;
  errors: Partial<Record<string, string>>;
  channelId: string | null;
}

/** What the channel says: the built-in texts or own ones, and how they come out in both languages. */
export function Templates({ form, onChange, errors, channelId }: TemplatesProps) {
  const { t } = useTranslation('channels');
  const { t: td } = useTranslation('deliveries');
  const [kind, setKind] = useState<MessageKind>('PROBLEM');
  const at = form.templates.findIndex((template) => template.kind === kind);
  const own = form.templates[at];
  const set = (over: Partial<TemplateForm>) =>
    onChange(form.templates.map((each) => (each.kind === kind ? { ...each, ...over } : each)));
  const toggle = (on: boolean) => {
    const rest = form.templates.filter((each) => each.kind !== kind);
    onChange(on ? [...rest, { kind, subject: '', body: defaultBody }] : rest);
  };
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <Select
          label={t('template.kind')}
          value={kind}
          data={messageKindValues.map((value) => ({ value, label: td(`message.${value}`) }))}
          onChange={(value) => setKind(messageKindValues.find((k) => k === value) ?? kind)}
        />
        <Switch
          className={classes.switch}
          label={t('template.own')}
          description={t('template.ownHint')}
          checked={own !== undefined}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
      </div>
      {own ? (
        <>
          <TextInput
            label={t('template.subject')}
            description={t('template.subjectHint')}
            value={own.subject}
            onChange={(event) => set({ subject: event.currentTarget.value })}
            error={errors[`input.templates.${at}.subject`]}
          />
          <Textarea
            autosize
            minRows={5}
            maxRows={20}
            label={t('template.body')}
            description={t('template.bodyHint')}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--bf-mono)' } }}
            value={own.body}
            onChange={(event) => set({ body: event.currentTarget.value })}
            error={errors[`input.templates.${at}.body`] ?? errors[`input.templates.${at}`]}
          />
        </>
      ) : null}
      <Previews kind={kind} channelKind={form.kind} own={own} channelId={channelId} />
    </div>
  );
}

// A start that shows the commonest data; the documentation has the rest.
const defaultBody = '{{range .Problems}}{{.Title}}: {{.Error}}\n{{end}}';

function Previews(props: {
  kind: MessageKind;
  channelKind: ChannelForm['kind'];
  own: TemplateForm | undefined;
  channelId: string | null;
}) {
  const { t } = useTranslation('channels');
  const [incident, setIncident] = useState<string | null>(null);
  const [result] = useQuery({
    query: IncidentsQuery,
    variables: { first: 20, after: null, filter: null },
  });
  const incidents = result.data?.incidents.nodes ?? [];
  return (
    <section className={classes.stack} aria-label={t('preview.title')}>
      <Select
        clearable
        label={t('preview.with')}
        placeholder={t('preview.sample')}
        value={incident}
        data={incidents.map(({ id, title }) => ({ value: id, label: title }))}
        onChange={setIncident}
      />
      <div className={classes.previews}>
        {locales.map((language) => (
          <Preview key={language} {...props} language={language} incident={incident} />
        ))}
      </div>
    </section>
  );
}

function Preview(props: {
  kind: MessageKind;
  channelKind: ChannelForm['kind'];
  own: TemplateForm | undefined;
  channelId: string | null;
  language: (typeof locales)[number];
  incident: string | null;
}) {
  const { t, i18n } = useTranslation('channels');
  const [own] = useDebouncedValue(props.own, 300);
  const [result] = useQuery({
    query: MessagePreviewQuery,
    variables: {
      input: {
        ...(props.channelId ? { channel: props.channelId } : { kind: props.channelKind }),
        message: props.kind,
        language: props.language,
        ...(own ? { subject: own.subject || null, body: own.body } : {}),
        ...(props.incident ? { incident: props.incident } : {}),
      },
    },
    requestPolicy: 'network-only',
  });
  const said = result.data?.messagePreview;
  const fault = result.error && !result.fetching ? describeError(result.error) : null;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section aria-label={localeNames[props.language]} lang={props.language}>
      <h3 className={classes.sub}>{localeNames[props.language]}</h3>
      {fault ? <Notice tone="fail">{fault.message}</Notice> : null}
      {said?.error ? <Notice tone="fail">{said.error.message}</Notice> : null}
      {!said && !fault ? <SkeletonLines lines={4} /> : null}
      {said && !said.error ? (
        <>
          {said.subject ? <p className={classes.line}>{said.subject}</p> : null}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups lines */}
          <pre className={classes.body} tabIndex={0} role="group" aria-label={t('preview.title')}>
            {said.body}
          </pre>
          <p className={classes.quiet}>
            {t(said.truncated ? 'preview.truncated' : 'preview.size', {
              size: number.format(said.bytes),
            })}
          </p>
        </>
      ) : null}
    </section>
  );
}
