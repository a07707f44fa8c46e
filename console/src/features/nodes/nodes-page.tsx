import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ActionButton } from '@/components/ui/action-button';
import { FilterBar } from '@/components/ui/filter-bar';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { Page } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { AppNamesQuery } from '@/features/jobs/queries';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { GroupDialog } from './group-dialog';
import { GroupPanel } from './group-panel';
import { NodeDialog } from './node-dialog';
import { NodeChanged, NodeGroupChanged, NodeGroupsQuery, NodesQuery } from './queries';
import type { NodesSearch } from './search';

interface NodesPageProps {
  search: NodesSearch;
  onSearch: (change: Partial<NodesSearch>) => void;
}

/** Node groups with their load and nodes, live. */
export function NodesPage({ search, onSearch }: NodesPageProps) {
  const { t } = useTranslation('nodes');
  const { read, nodes } = useGroups(search.app);
  const [apps] = useQuery({ query: AppNamesQuery });
  const [creating, setCreating] = useState(false);
  const all = read.data?.nodeGroups;
  const groups = all?.filter((group) => !search.group || group.id === search.group);
  const opened = nodes?.find((node) => node.id === search.node);
  const first = useFirstRows(groups, 10);
  const appOptions = (apps.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }));

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton
          atLeast="DEVELOPER"
          primary
          icon="plus"
          reason={appOptions.length === 0 ? t('appFirst') : null}
          onClick={() => setCreating(true)}
        >
          {t('create')}
        </ActionButton>
      }
    >
      <FilterBar
        active={[search.app, search.group].filter(Boolean).length}
        onReset={() => onSearch({ app: undefined, group: undefined })}
      >
        <Select
          aria-label={t('app')}
          placeholder={t('app')}
          w={180}
          clearable
          searchable
          value={search.app ?? null}
          data={appOptions}
          onChange={(app) => onSearch({ app: app ?? undefined, group: undefined })}
        />
        <Select
          aria-label={t('group')}
          placeholder={t('group')}
          w={220}
          clearable
          searchable
          value={search.group ?? null}
          data={(all ?? []).map((g) => ({ value: g.id, label: `${g.app.name} / ${g.name}` }))}
          onChange={(group) => onSearch({ group: group ?? undefined })}
        />
      </FilterBar>
      {read.error && all ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !all ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {!all && !read.error ? <SkeletonLines lines={12} /> : null}
      {groups?.length === 0 ? (
        <EmptyState icon="nodes" title={t('none.title')}>
          {t('none.text')}
        </EmptyState>
      ) : null}
      {first.shown?.map((group) => (
        <GroupPanel
          key={group.id}
          group={group}
          nodes={nodes === null ? null : nodes?.filter((node) => node.group.id === group.id)}
          onOpen={(id) => onSearch({ node: id })}
        />
      ))}
      <MoreRows {...first} />
      <SlowHint slow={read.slow} />
      <NodeDialog
        node={opened}
        lostAfter={all?.find((group) => group.id === opened?.group.id)?.takeoverAfter ?? ''}
        onClose={() => onSearch({ node: undefined })}
      />
      <GroupDialog
        opened={creating}
        apps={appOptions}
        app={search.app}
        onClose={() => setCreating(false)}
      />
    </Page>
  );
}

function useGroups(app: string | undefined) {
  const read = useRead({ query: NodeGroupsQuery, variables: { app: app ?? null } });
  const nodes = useRead({ query: NodesQuery, variables: {} });
  const refetch = () => {
    read.refetch();
    nodes.refetch();
  };
  const reread = useThrottled(refetch, 2_000);
  // What is known changes by itself; what is new is not in the lists yet.
  useLive({
    query: NodeChanged,
    variables: {},
    onEvent: ({ nodeChanged }) => {
      if (!nodes.data?.nodes.some((node) => node.id === nodeChanged.id)) reread();
    },
  });
  useLive({
    query: NodeGroupChanged,
    variables: { app: app ?? null },
    onEvent: ({ nodeGroupChanged }) => {
      if (!read.data?.nodeGroups.some((group) => group.id === nodeGroupChanged.id)) reread();
    },
  });
  const both = { error: read.error ?? nodes.error, slow: read.slow || nodes.slow, refetch };
  return {
    read: { ...read, ...both },
    nodes: nodes.data?.nodes ?? (nodes.error ? null : undefined),
  };
}
