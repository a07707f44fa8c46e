import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useReceivers } from './use-receivers';

interface ReceiverFieldsProps {
  channels: string[];
  people: string[];
  onChannels: (ids: string[]) => void;
  onPeople: (ids: string[]) => void;
  errors: { channels?: string | undefined; people?: string | undefined };
}

/** Which channels, and who is mentioned in them. */
export function ReceiverFields(props: ReceiverFieldsProps) {
  const { t } = useTranslation('rules');
  const receivers = useReceivers();
  return (
    <>
      <MultiSelect
        searchable
        clearable
        label={t('receivers.channels')}
        description={t('receivers.channelsHint')}
        placeholder={props.channels.length > 0 ? undefined : t('receivers.all')}
        value={props.channels}
        data={withUnknown(receivers.channels, props.channels)}
        onChange={props.onChannels}
        error={props.errors.channels}
      />
      <MultiSelect
        searchable
        clearable
        label={t('receivers.people')}
        description={t('receivers.peopleHint')}
        placeholder={props.people.length > 0 ? undefined : t('receivers.nobody')}
        value={props.people}
        data={withUnknown(receivers.people, props.people)}
        onChange={props.onPeople}
        error={props.errors.people}
      />
    </>
  );
}

/** What is chosen stays visible while the names are on their way, or gone. */
function withUnknown(all: { value: string; label: string }[], chosen: readonly string[]) {
  const known = new Set(all.map(({ value }) => value));
  return [...all, ...chosen.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id }))];
}
