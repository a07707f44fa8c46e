import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Icon } from '@/components/ui/icon';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState, Notice, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { AuditRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import classes from './audit.module.css';
import { changesOf } from './changes';
import { EntryDialog } from './entry-dialog';
import { AuditFilters } from './filters';
import { ObjectLink } from './object-link';
import { AuditQuery } from './queries';
import { type AuditSearch, activeFilters, auditFilter, exportHref, pageSize } from './search';
import { useWords } from './words';

interface AuditPageProps {
  search: AuditSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<AuditSearch>) => void;
}

/** Who changed what: filters in the address, each change with what was before and after. */
export function AuditPage({ search, onSearch }: AuditPageProps) {
  const { t } = useTranslation('audit');
  const filter = useMemo(() => auditFilter(search), [search]);
  const [open, setOpen] = useState<AuditRowFragment | null>(null);
  const read = useRead({
    query: AuditQuery,
    variables: { first: pageSize, after: search.after ?? null, filter },
  });
  const page = read.data?.auditTrail;
  const rows = page?.nodes;
  const columns = useColumns(setOpen);
  return (
    <Page title={t('title')} lead={t('lead')} actions={<Exports search={search} />}>
      <AuditFilters search={search} onChange={onSearch} />
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {page?.searchedTo ? (
        <Notice tone="info">
          {t('searchedTo')} <TimeText at={page.searchedTo} />
        </Notice>
      ) : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(entry) => entry.id}
            refreshing={read.refreshing}
            empty={<NoRows filtered={activeFilters(search) > 0} />}
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
      <EntryDialog entry={open} onClose={() => setOpen(null)} />
    </Page>
  );
}

function Exports({ search }: { search: AuditSearch }) {
  const { t } = useTranslation('audit');
  return (['csv', 'jsonl'] as const).map((format) => (
    <Button
      key={format}
      component="a"
      href={exportHref(search, format)}
      download
      variant="default"
      leftSection={<Icon name="download" size={14} />}
    >
      {t(`export.${format}`)}
    </Button>
  ));
}

function NoRows({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('audit');
  return filtered ? (
    <EmptyState icon="search" title={t('noMatch.title')}>
      {t('noMatch.text')}
    </EmptyState>
  ) : (
    <EmptyState icon="report" title={t('none.title')}>
      {t('none.text')}
    </EmptyState>
  );
}

function useColumns(onOpen: (entry: AuditRowFragment) => void): Column<AuditRowFragment>[] {
  const { t } = useTranslation('audit');
  const words = useWords();
  return [
    { id: 'at', header: t('at'), width: '130px', cell: (entry) => <TimeText at={entry.at} /> },
    {
      id: 'who',
      header: t('who'),
      width: '180px',
      cell: (entry) => (
        <span className={classes.two}>
          <span>{entry.actor}</span>
          <span>{[entry.agent, entry.address].filter(Boolean).join(' · ')}</span>
        </span>
      ),
    },
    {
      id: 'what',
      header: t('action'),
      title: true,
      width: '230px',
      cell: (entry) => words.action(entry.action),
    },
    {
      id: 'object',
      header: t('object'),
      cell: (entry) => (
        <span className={classes.two}>
          <ObjectLink entry={entry} />
          <span>{entry.app?.name}</span>
        </span>
      ),
    },
    {
      id: 'changes',
      header: t('changes'),
      wide: true,
      cell: (entry) => (
        <span className={classes.clamp}>
          {changesOf(entry.before, entry.after)
            .map((change) => change.field)
            .join(', ')}
        </span>
      ),
    },
    {
      id: 'actions',
      header: t('show'),
      width: '100px',
      align: 'end',
      bare: true,
      cell: (entry) => (
        <Button variant="default" onClick={() => onOpen(entry)}>
          {t('show')}
        </Button>
      ),
    },
  ];
}
