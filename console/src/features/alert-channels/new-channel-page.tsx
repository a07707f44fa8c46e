import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstError } from '@/components/ui/first-error';
import { Problems } from '@/components/ui/form-dialog';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState } from '@/components/ui/states';
import { LeaveGuard } from '@/features/job-editor/leave-guard';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import { numberErrors } from '@/graphql/number-errors';
import { useMutationAction } from '@/graphql/use-action';
import { useCan } from '@/session/context';
import { useRoleReason } from '@/session/role';
import { ChannelFields, channelPaths } from './channel-fields';
import classes from './channels.module.css';
import { channelInput, channelNumbers, newChannel } from './form';
import { CreateChannel } from './queries';

const none: ReadonlySet<string> = new Set();

/** Makes a channel; its page follows, with the test. */
export function NewChannelPage() {
  const { t } = useTranslation('channels');
  const admin = useCan('ADMIN');
  const reason = useRoleReason('ADMIN');
  return (
    <Page title={t('create')} crumbs={<Link to="/alerts/channels">{t('title')}</Link>}>
      {admin ? (
        <Form />
      ) : (
        <EmptyState icon="key" title={t('forbidden')}>
          {reason}
        </EmptyState>
      )}
    </Page>
  );
}

function Form() {
  const { t, i18n } = useTranslation('channels');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [form, setForm] = useState(() => newChannel('WEBHOOK', i18n.language));
  const [wrong, setWrong] = useState<readonly UserErrorFragment[]>([]);
  const root = useRef<HTMLFormElement>(null);
  const action = useMutationAction(CreateChannel, {
    pick: (data) => data.createAlertChannel,
    success: (payload) => t('made', { name: payload.channel?.name }),
    refusals: 'form',
  });
  const errors = fieldErrors(wrong.length > 0 ? wrong : action.userErrors, channelPaths(form));
  const dirty = JSON.stringify(form) !== JSON.stringify(newChannel(form.kind, i18n.language));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = numberErrors(channelNumbers(form, t), tc);
    setWrong(found);
    if (found.length > 0) return focusFirstError(root.current);
    const { payload } = await action.run({ input: channelInput(form, none, null) });
    const id = payload?.channel?.id;
    if (!id) return focusFirstError(root.current);
    const params = { channelId: id };
    void navigate({ to: '/alerts/channels/$channelId', params, ignoreBlocker: true });
  };
  return (
    <>
      <form
        ref={root}
        className={classes.stack}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <Problems sentences={errors.rest} />
        <Panel>
          <ChannelFields form={form} onChange={setForm} errors={errors.at} kept={none} isNew />
        </Panel>
        <div className={classes.bar}>
          <Button variant="default" onClick={() => void navigate({ to: '/alerts/channels' })}>
            {tc('actions.cancel')}
          </Button>
          <Button type="submit" loading={action.busy}>
            {t('createSubmit')}
          </Button>
        </div>
      </form>
      <LeaveGuard isUnsaved={() => dirty} />
    </>
  );
}
