import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, Notice } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import { useMutationAction } from '@/graphql/use-action';
import { useCan } from '@/session/context';
import { useRoleReason } from '@/session/role';
import { ChannelFields, channelPaths } from './channel-fields';
import classes from './channels.module.css';
import { channelInput, newChannel } from './form';
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
  const action = useMutationAction(CreateChannel, {
    pick: (data) => data.createAlertChannel,
    success: (payload) => t('made', { name: payload.channel?.name }),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, channelPaths(form));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { payload } = await action.run({ input: channelInput(form, none, null) });
    const id = payload?.channel?.id;
    if (id) void navigate({ to: '/alerts/channels/$channelId', params: { channelId: id } });
  };
  return (
    <form className={classes.stack} noValidate onSubmit={(event) => void submit(event)}>
      {errors.rest.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
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
  );
}
