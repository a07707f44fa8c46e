import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { ErrorState, Notice, SkeletonLines } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import type { PersonFieldsFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import classes from './account.module.css';
import { PeopleQuery, UpdateContacts } from './queries';

const ways = [
  'email',
  'mobile',
  'feishuId',
  'wecomId',
  'slackId',
  'telegramId',
  'discordId',
] as const;
const paths = ways.map((way) => `input.${way}` as const);

/** How alerts mention the person in each kind of channel. */
export function ContactsForm({ name }: { name: string }) {
  const { t } = useTranslation('account');
  const read = useRead({ query: PeopleQuery, variables: {} });
  const person = read.data?.people.find((each) => each.name === name);
  return (
    <Panel title={t('contacts.title')}>
      {person ? (
        <Form key={person.id} person={person} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : read.loading ? (
        <SkeletonLines lines={6} />
      ) : (
        <p>{t('contacts.none')}</p>
      )}
    </Panel>
  );
}

function Form({ person }: { person: PersonFieldsFragment }) {
  const { t } = useTranslation('account');
  const { t: tc } = useTranslation();
  const [fields, setFields] = useState(person.contacts);
  const action = useMutationAction(UpdateContacts, {
    pick: (data) => data.updateContacts,
    success: () => t('saved'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, paths);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void action.run({ input: fields });
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p>{t('contacts.hint')}</p>
      {errors.rest.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
      {ways.map((way) => (
        <TextInput
          key={way}
          label={t(`contacts.${way}`)}
          type={way === 'email' ? 'email' : undefined}
          autoComplete={way === 'email' ? 'email' : way === 'mobile' ? 'tel' : 'off'}
          value={fields[way]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setFields((old) => ({ ...old, [way]: value }));
          }}
          error={errors.at[`input.${way}`]}
        />
      ))}
      <div>
        <Button type="submit" loading={action.busy}>
          {tc('actions.save')}
        </Button>
      </div>
    </form>
  );
}
