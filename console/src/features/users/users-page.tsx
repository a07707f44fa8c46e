import { Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { FilterBar } from '@/components/ui/filter-bar';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { UserRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { CreateUserDialog } from './create-user-dialog';
import { LinkDialog, type NewLink } from './link-dialog';
import { UsersQuery } from './queries';
import { RolesText } from './roles-text';
import { activeFilters, pageSize, type UsersSearch, userStates } from './search';
import { UserBadge } from './user-badge';

interface UsersPageProps {
  search: UsersSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<UsersSearch>) => void;
}

/** The accounts of people: who there is and what they may do. */
export function UsersPage({ search, onSearch }: UsersPageProps) {
  const { t } = useTranslation('users');
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewLink | null>(null);
  const read = useRead({
    query: UsersQuery,
    variables: {
      first: pageSize,
      after: search.after ?? null,
      search: search.q ?? null,
      disabled: search.state ? search.state === 'disabled' : null,
    },
  });
  const page = read.data?.users;
  const rows = page?.nodes;
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton atLeast="ADMIN" primary icon="plus" onClick={() => setCreating(true)}>
          {t('create')}
        </ActionButton>
      }
    >
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
            rowKey={(user) => user.id}
            rowHref={(user) => `/users/${user.id}`}
            refreshing={read.refreshing}
            empty={<NoUsers filtered={activeFilters(search) > 0} />}
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
      <CreateUserDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(link) => {
          setCreating(false);
          setMade(link);
        }}
      />
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </Page>
  );
}

function Filters({
  search,
  onChange,
}: {
  search: UsersSearch;
  onChange: UsersPageProps['onSearch'];
}) {
  const { t } = useTranslation('users');
  return (
    <FilterBar
      search={search.q}
      searchLabel={t('search')}
      onSearch={(q) => onChange({ q })}
      active={activeFilters(search)}
      onReset={() => onChange({ q: undefined, state: undefined })}
    >
      <Select
        aria-label={t('filter.state')}
        placeholder={t('filter.state')}
        w={150}
        clearable
        value={search.state ?? null}
        data={userStates.map((value) => ({ value, label: t(`filter.${value}`) }))}
        onChange={(state) => onChange({ state: userStates.find((each) => each === state) })}
      />
    </FilterBar>
  );
}

function NoUsers({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('users');
  return filtered ? (
    <EmptyState icon="search" title={t('noMatch.title')}>
      {t('noMatch.text')}
    </EmptyState>
  ) : (
    <EmptyState icon="user" title={t('none.title')}>
      {t('none.text')}
    </EmptyState>
  );
}

function useColumns(): Column<UserRowFragment>[] {
  const { t } = useTranslation('users');
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (user) => (
        <Link to="/users/$userId" params={{ userId: user.id }}>
          {user.name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('stateLabel'),
      width: '160px',
      cell: (user) => <UserBadge user={user} />,
    },
    {
      id: 'roles',
      header: t('roles'),
      span: true,
      cell: (user) => <RolesText role={user.role} apps={user.apps} />,
    },
    {
      id: 'created',
      header: t('created'),
      width: '150px',
      cell: (user) => <TimeText at={user.createdAt} />,
    },
  ];
}
