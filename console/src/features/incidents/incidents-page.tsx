import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { DataTable } from '@/components/ui/data-table';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { type Selection, useSelection } from '@/components/ui/selection';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { AlertsTabs } from '@/features/alerts/alerts-tabs';
import { SilenceDialog } from '@/features/silences/silence-dialog';
import { scopeOfIncident } from '@/features/silences/silence-form';
import type { IncidentRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { useIncidentColumns } from './columns';
import { DeedDialog, type Doing } from './deed-dialog';
import { can, deeds } from './deeds';
import { IncidentFilters } from './filters';
import classes from './incidents.module.css';
import { IncidentListChanged, IncidentsQuery } from './queries';
import { Readiness } from './readiness';
import { activeFilters, type IncidentsSearch, incidentFilter, pageSize } from './search';

interface IncidentsPageProps {
  search: IncidentsSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<IncidentsSearch>) => void;
}

/** What is wrong, live: one row a problem; taken on, closed or silenced from here. */
export function IncidentsPage({ search, onSearch }: IncidentsPageProps) {
  const { t } = useTranslation('alerts');
  const read = useIncidents(search);
  const page = read.data?.incidents;
  const rows = page?.nodes;
  const selection = useSelection(useMemo(() => rows?.map(({ id }) => id) ?? [], [rows]));
  const [doing, setDoing] = useState<Doing | null>(null);
  const [silencing, setSilencing] = useState<IncidentRowFragment | null>(null);
  const columns = useIncidentColumns({ onDo: setDoing, onSilence: setSilencing });
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AlertsTabs />
      <Readiness />
      <IncidentFilters search={search} onChange={onSearch} />
      {selection.keys.length > 0 && rows ? (
        <BulkBar incidents={rows} selection={selection} onDo={setDoing} />
      ) : null}
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(incident) => incident.id}
            rowHref={(incident) => `/alerts/incidents/${incident.id}`}
            selection={selection}
            refreshing={read.refreshing}
            skeletonRows={5}
            empty={<NoIncidents filtered={activeFilters(search) > 0} />}
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
      <DeedDialog
        doing={doing}
        onClose={() => {
          setDoing(null);
          selection.clear();
        }}
      />
      <SilenceDialog
        opened={silencing !== null}
        scope={silencing ? scopeOfIncident(silencing) : undefined}
        rule={silencing?.rule ?? undefined}
        onClose={() => setSilencing(null)}
      />
    </Page>
  );
}

function useIncidents(search: IncidentsSearch) {
  const filter = useMemo(() => incidentFilter(search), [search]);
  const read = useRead({
    query: IncidentsQuery,
    variables: { first: pageSize, after: search.after ?? null, filter },
  });
  const reread = useThrottled(read.refetch, 2_000);
  const known = read.data?.incidents.nodes;
  useLive({
    query: IncidentListChanged,
    // States are not part of it: an incident that leaves the filter must be seen leaving.
    variables: { filter: { ...filter, states: null } },
    onEvent: ({ incidentChanged: incident }) => {
      const fits = !filter.states || filter.states.includes(incident.state);
      const listed = known?.some((row) => row.id === incident.id) ?? false;
      if (fits !== listed && (listed || !search.after)) reread();
    },
  });
  return read;
}

function BulkBar(props: {
  incidents: IncidentRowFragment[];
  selection: Selection;
  onDo: (doing: Doing) => void;
}) {
  const { t } = useTranslation('alerts');
  const { t: tc } = useTranslation();
  const chosen = props.incidents.filter(({ id }) => props.selection.keys.includes(id));
  return (
    <section className={classes.bulk} aria-label={t('bulk')}>
      <span role="status">{tc('table.selected', { count: chosen.length })}</span>
      {deeds.map((deed) => {
        const fitting = chosen.filter(({ state }) => can(deed, state));
        return (
          <ActionButton
            key={deed}
            atLeast="OPERATOR"
            reason={fitting.length === 0 ? t(`cannot.${deed}`) : null}
            onClick={() => props.onDo({ deed, incidents: fitting })}
          >
            {t(`bulkDeed.${deed}`, { count: fitting.length })}
          </ActionButton>
        );
      })}
      <Button variant="subtle" color="gray" onClick={props.selection.clear}>
        {tc('table.clear')}
      </Button>
    </section>
  );
}

function NoIncidents({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('alerts');
  return (
    <EmptyState
      icon={filtered ? 'search' : 'check'}
      title={t(filtered ? 'noMatch.title' : 'none.title')}
    >
      {t(filtered ? 'noMatch.text' : 'none.text')}
    </EmptyState>
  );
}
