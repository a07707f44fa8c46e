import { useQuery } from 'urql';
import { ReceiversQuery } from '@/features/alerts/queries';

/** Whom alerts can be sent to, for pickers and for names. */
export function useReceivers() {
  const [{ data }] = useQuery({ query: ReceiversQuery });
  const channels = data?.alertChannels ?? [];
  const people = data?.people ?? [];
  return {
    channels: channels.map(({ id, name }) => ({ value: id, label: name })),
    people: people.map(({ id, name }) => ({ value: id, label: name })),
    names: {
      channels: new Map(channels.map(({ id, name }) => [id, name])),
      people: new Map(people.map(({ id, name }) => [id, name])),
    },
  };
}
