import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstError } from '@/components/ui/first-error';
import { Problems } from '@/components/ui/form-dialog';
import { Panel } from '@/components/ui/page';
import { Notice } from '@/components/ui/states';
import { LeaveGuard } from '@/features/job-editor/leave-guard';
import { fieldErrors } from '@/graphql/field-errors';
import type { ChannelDetailFragment, UserErrorFragment } from '@/graphql/generated/graphql';
import { numberErrors } from '@/graphql/number-errors';
import { useMutationAction } from '@/graphql/use-action';
import { ChannelFields, channelPaths } from './channel-fields';
import classes from './channels.module.css';
import { type ChannelForm, channelForm, channelInput, channelNumbers, storedSecrets } from './form';
import { UpdateChannel } from './queries';
import { Templates } from './templates';

const same = (a: ChannelForm, b: ChannelForm) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What is typed, and the version that it is based on. A newer version, after the channel was switched
 * on or off or saved elsewhere, takes nothing that is typed: it is adopted at once when that does not
 * touch the form, else only when asked for.
 */
function useDraft(latest: ChannelDetailFragment) {
  const [base, setBase] = useState(latest);
  const [form, setForm] = useState(() => channelForm(latest));
  const dirty = !same(form, channelForm(base));
  const load = (channel: ChannelDetailFragment) => {
    setBase(channel);
    setForm(channelForm(channel));
  };
  const isNewer = latest.version > base.version;
  if (isNewer && !dirty) load(latest);
  else if (isNewer && same(channelForm(latest), channelForm(base))) setBase(latest);
  return { base, form, setForm, dirty, isNewer: isNewer && dirty, load };
}

/** The settings, limits and texts of a channel. */
export function ChannelEditor({ channel }: { channel: ChannelDetailFragment }) {
  const { t } = useTranslation('channels');
  const { t: tc } = useTranslation();
  const { base, form, setForm, dirty, isNewer, load } = useDraft(channel);
  const [wrong, setWrong] = useState<readonly UserErrorFragment[]>([]);
  const root = useRef<HTMLFormElement>(null);
  const kept = storedSecrets(base);
  const action = useMutationAction(UpdateChannel, {
    pick: (data) => data.updateAlertChannel,
    success: (payload) => t('saved', { name: payload.channel?.name }),
    refusals: 'form',
  });
  const errors = fieldErrors(wrong.length > 0 ? wrong : action.userErrors, editorPaths(form));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = numberErrors(channelNumbers(form, t), tc);
    setWrong(found);
    if (found.length > 0) return focusFirstError(root.current);
    const { payload } = await action.run({
      id: base.id,
      input: channelInput(form, kept, base.version),
    });
    if (payload?.channel) load(payload.channel);
    else focusFirstError(root.current);
  };
  return (
    <>
      <form
        ref={root}
        className={classes.stack}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {isNewer && !action.busy ? (
          <Notice tone="retry">
            {t('newer', { version: channel.version })}{' '}
            <Button size="compact-xs" variant="light" onClick={() => load(channel)}>
              {t('loadNewer')}
            </Button>
          </Notice>
        ) : null}
        <Problems sentences={errors.rest} />
        <Panel title={t('settings')}>
          <ChannelFields
            form={form}
            onChange={setForm}
            errors={errors.at}
            kept={kept}
            isNew={false}
          />
        </Panel>
        <Panel title={t('template.title')}>
          <Templates
            form={form}
            onChange={(next) => setForm((old) => ({ ...old, templates: next }))}
            errors={errors.at}
            channelId={channel.id}
          />
        </Panel>
        <div className={classes.bar}>
          <span className={classes.quiet} role="status">
            {dirty ? t('unsaved') : ''}
          </span>
          <Button type="submit" loading={action.busy}>
            {tc('actions.save')}
          </Button>
        </div>
      </form>
      <LeaveGuard isUnsaved={() => dirty} />
    </>
  );
}

function editorPaths(form: ChannelForm): string[] {
  const templates = form.templates.map((_, i) => `input.templates.${i}`);
  return [
    ...channelPaths(form),
    ...templates,
    ...templates.flatMap((path) => [`${path}.subject`, `${path}.body`]),
  ];
}
