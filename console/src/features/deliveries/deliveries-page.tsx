import { MultiSelect, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { type Column, DataTable } from '@/components/ui/data-table';
import { FilterBar, FilterChip } from '@/components/ui/filter-bar';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import own from '@/features/alerts/alerts.module.css';
import { AlertsTabs } from '@/features/alerts/alerts-tabs';
import { SeverityBadge } from '@/features/alerts/badges';
import { rangeStart, ranges } from '@/features/tasks/search';
import { notificationStateValues } from '@/graphql/generated/enums';
import type { DeliveryRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import classes from './deliveries.module.css';
import { DeliveryStateBadge } from './delivery-badge';
import { DeliveryDialog } from './delivery-dialog';
import {
  DeliveriesQuery,
  DeliveryListChanged,
  DeliveryNamesQuery,
  FilteredIncidentQuery,
} from './queries';
import { type DeliveriesSearch, deliveryFilter, pageSize } from './search';

interface DeliveriesPageProps {
  search: DeliveriesSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<DeliveriesSearch>) => void;
}

/** Every notification: whether it was sent, and why or why not. */
export function DeliveriesPage({ search, onSearch }: DeliveriesPageProps) {
  const { t } = useTranslation('deliveries');
  const read = useDeliveries(search);
  const page = read.data?.notifications;
  const rows = page?.nodes;
  const columns = useColumns();
  const filtered = Object.keys(deliveryFilter(search)).length > 0;
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AlertsTabs />
      <Filters search={search} onChange={onSearch} />
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(note) => note.id}
            refreshing={read.refreshing}
            empty={
              <EmptyState
                icon={filtered ? 'search' : 'send'}
                title={t(filtered ? 'noMatch.title' : 'none.title')}
              >
                {t(filtered ? 'noMatch.text' : 'none.text')}
              </EmptyState>
            }
          />
        )}
        <Pager
          page={{ after: search.after }}
          info={page?.pageInfo}
          shown={rows?.length ?? 0}
          total={null}
          onPage={({ after }) => onSearch({ after })}
        />
      </Panel>
      <SlowHint slow={read.slow} />
      <DeliveryDialog
        id={search.notification ?? null}
        onClose={() => onSearch({ notification: undefined, after: search.after })}
      />
    </Page>
  );
}

function useDeliveries(search: DeliveriesSearch) {
  const { outcomes, channel, rule, incident, from } = search;
  const filter = useMemo(
    () => deliveryFilter({ outcomes, channel, rule, incident, from }),
    [outcomes, channel, rule, incident, from],
  );
  const read = useRead({
    query: DeliveriesQuery,
    variables: { first: pageSize, after: search.after ?? null, filter },
  });
  const reread = useThrottled(read.refetch, 2_000);
  const known = read.data?.notifications.nodes;
  useLive({
    query: DeliveryListChanged,
    variables: { filter: { ...filter, states: null } },
    onEvent: ({ notificationChanged: note }) => {
      const fits = !filter.states || filter.states.includes(note.state);
      const listed = known?.some((row) => row.id === note.id) ?? false;
      if (fits !== listed && (listed || !search.after)) reread();
    },
  });
  return read;
}

function Filters(props: {
  search: DeliveriesSearch;
  onChange: (change: Partial<DeliveriesSearch>) => void;
}) {
  const { search, onChange } = props;
  const { t } = useTranslation('deliveries');
  const { t: ta } = useTranslation('alerts');
  const { t: tt } = useTranslation('tasks');
  const [names] = useQuery({ query: DeliveryNamesQuery });
  const options = (all: readonly { id: string; name: string }[] | undefined) =>
    (all ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FilterBar
      active={Object.keys(deliveryFilter(search)).length}
      onReset={() =>
        onChange({
          outcomes: undefined,
          channel: undefined,
          rule: undefined,
          incident: undefined,
          from: undefined,
        })
      }
    >
      <MultiSelect
        aria-label={t('filter.states')}
        placeholder={search.outcomes ? undefined : t('filter.states')}
        w={200}
        clearable
        value={search.outcomes ?? []}
        data={notificationStateValues.map((value) => ({ value, label: t(`state.${value}`) }))}
        onChange={(values) => {
          const states = notificationStateValues.filter((s) => values.includes(s));
          onChange({ outcomes: states.length > 0 ? states : undefined });
        }}
      />
      <Select
        aria-label={t('filter.channel')}
        placeholder={t('filter.channel')}
        w={180}
        clearable
        searchable
        value={search.channel ?? null}
        data={options(names.data?.alertChannels)}
        onChange={(channel) => onChange({ channel: channel ?? undefined })}
      />
      <Select
        aria-label={ta('filter.rule')}
        placeholder={ta('filter.rule')}
        w={180}
        clearable
        searchable
        value={search.rule ?? null}
        data={options(names.data?.alertRules)}
        onChange={(rule) => onChange({ rule: rule ?? undefined })}
      />
      <Select
        aria-label={t('filter.since')}
        placeholder={search.from ? ta('filter.chosen') : t('filter.since')}
        w={140}
        clearable
        value={null}
        data={[
          ...ranges.map((value) => ({ value, label: tt(`range.${value}`) })),
          ...(search.from ? [{ value: 'all', label: tt('range.all') }] : []),
        ]}
        onChange={(value) => {
          const range = ranges.find((each) => each === value);
          onChange({ from: range ? rangeStart(range, new Date()) : undefined });
        }}
      />
      {search.incident ? (
        <FilterChip
          label={t('filter.incident')}
          value={<IncidentTitle id={search.incident} />}
          onRemove={() => onChange({ incident: undefined })}
        />
      ) : null}
    </FilterBar>
  );
}

function IncidentTitle({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: FilteredIncidentQuery, variables: { id } });
  return (
    <Link to="/alerts/incidents/$incidentId" params={{ incidentId: id }}>
      {data?.incident?.title ?? id}
    </Link>
  );
}

function useColumns(): Column<DeliveryRowFragment>[] {
  const { t } = useTranslation('deliveries');
  return [
    {
      id: 'subject',
      header: t('column.subject'),
      title: true,
      width: '30%',
      cell: (note) => (
        <Link
          from="/alerts/deliveries"
          search={(old) => ({ ...old, notification: note.id })}
          className={classes.subject}
        >
          {note.subject || t(`message.${note.kind}`)}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '120px',
      cell: (note) => <DeliveryStateBadge state={note.state} />,
    },
    {
      id: 'channel',
      header: t('column.channel'),
      cell: (note) =>
        note.channel ? (
          <span>
            {note.channel.name}
            <span className={own.sub}>{t(`kind.${note.channel.kind}`)}</span>
          </span>
        ) : (
          t('channelGone')
        ),
    },
    {
      id: 'kind',
      header: t('column.kind'),
      width: '140px',
      cell: (note) => (
        <span>
          {t(`message.${note.kind}`)}
          {note.problems > 1 ? (
            <span className={own.sub}>{t('problems', { count: note.problems })}</span>
          ) : null}
        </span>
      ),
    },
    {
      id: 'severity',
      header: t('column.severity'),
      width: '110px',
      cell: (note) => <SeverityBadge severity={note.severity} />,
    },
    {
      id: 'created',
      header: t('column.created'),
      width: '140px',
      cell: (note) => <TimeText at={note.createdAt} />,
    },
    {
      id: 'reason',
      header: t('column.reason'),
      span: true,
      cell: (note) =>
        note.reason ? (
          <span className={classes.reason} title={note.reason}>
            {note.reason}
          </span>
        ) : null,
    },
  ];
}
