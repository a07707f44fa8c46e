import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { DataTable } from '@/components/ui/data-table';
import { FilterBar } from '@/components/ui/filter-bar';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import type { TokenRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { useTokenColumns } from './columns';
import { CreateTokenDialog } from './create-token-dialog';
import { RevokeToken, TokensQuery } from './queries';
import { activeFilters, pageSize, type TokensSearch, tokenStates } from './search';
import { type NewToken, TokenDialog } from './token-dialog';

interface TokensPageProps {
  search: TokensSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<TokensSearch>) => void;
}

/** The API tokens of programs: what they may do, and whether they are used. */
export function TokensPage({ search, onSearch }: TokensPageProps) {
  const { t } = useTranslation('tokens');
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewToken | null>(null);
  const [ending, setEnding] = useState<TokenRowFragment | null>(null);
  const read = useRead({
    query: TokensQuery,
    variables: {
      first: pageSize,
      after: search.after ?? null,
      search: search.q ?? null,
      active: search.state ? search.state === 'active' : null,
    },
  });
  const page = read.data?.apiTokens;
  const rows = page?.nodes;
  const columns = useTokenColumns(setEnding);
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
            rowKey={(token) => token.id}
            refreshing={read.refreshing}
            empty={<NoTokens filtered={activeFilters(search) > 0} />}
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
      <CreateTokenDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(token) => {
          setCreating(false);
          setMade(token);
        }}
      />
      <TokenDialog made={made} onClose={() => setMade(null)} />
      <Revoke token={ending} onClose={() => setEnding(null)} />
    </Page>
  );
}

function Filters(props: { search: TokensSearch; onChange: TokensPageProps['onSearch'] }) {
  const { t } = useTranslation('tokens');
  const { search, onChange } = props;
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
        data={tokenStates.map((value) => ({ value, label: t(`filter.${value}`) }))}
        onChange={(state) => onChange({ state: tokenStates.find((each) => each === state) })}
      />
    </FilterBar>
  );
}

function NoTokens({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('tokens');
  return filtered ? (
    <EmptyState icon="search" title={t('noMatch.title')}>
      {t('noMatch.text')}
    </EmptyState>
  ) : (
    <EmptyState icon="key" title={t('none.title')}>
      {t('none.text')}
    </EmptyState>
  );
}

function Revoke({ token, onClose }: { token: TokenRowFragment | null; onClose: () => void }) {
  const { t } = useTranslation('tokens');
  const action = useMutationAction(RevokeToken, {
    pick: (d) => d.revokeApiToken,
    success: () => t('revokedDone'),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    onClose();
  };
  const run = async () => {
    if (!token) return;
    const { payload } = await action.run({ id: token.id });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={token !== null}
      onClose={close}
      title={t('revokeTitle', { name: token?.name })}
      confirm={t('revoke')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('revokeText')}
    </ConfirmDialog>
  );
}
