import { Select, Switch, Tooltip } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { FilterBar } from '@/components/ui/filter-bar';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import own from '@/features/alerts/alerts.module.css';
import { AlertsTabs } from '@/features/alerts/alerts-tabs';
import { ScopeText } from '@/features/alerts/scope-text';
import { AppNamesQuery } from '@/features/jobs/queries';
import type { RuleRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { useRoleReason } from '@/session/role';
import { DisableRule, EnableRule, RulesQuery } from './queries';
import classes from './rules.module.css';
import type { RulesSearch } from './search';
import { conditionWords, severityWords } from './words';

interface RulesPageProps {
  search: RulesSearch;
  onSearch: (change: RulesSearch) => void;
}

/** What counts as a problem, how bad it is at which time, and who is told. */
export function RulesPage({ search, onSearch }: RulesPageProps) {
  const { t } = useTranslation('rules');
  const navigate = useNavigate();
  const read = useRead({ query: RulesQuery, variables: { app: search.app ?? null } });
  const [names] = useQuery({ query: AppNamesQuery });
  const rows = read.data?.alertRules;
  const first = useFirstRows(rows, 100);
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton
          atLeast="DEVELOPER"
          primary
          icon="plus"
          onClick={() => void navigate({ to: '/alerts/rules/new' })}
        >
          {t('create')}
        </ActionButton>
      }
    >
      <AlertsTabs />
      <FilterBar active={search.app ? 1 : 0} onReset={() => onSearch({ app: undefined })}>
        <Select
          aria-label={t('app')}
          placeholder={t('app')}
          w={200}
          clearable
          searchable
          value={search.app ?? null}
          data={(names.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
          onChange={(app) => onSearch({ app: app ?? undefined })}
        />
      </FilterBar>
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={first.shown}
            rowKey={(rule) => rule.id}
            rowHref={(rule) => `/alerts/rules/${rule.id}`}
            refreshing={read.refreshing}
            skeletonRows={3}
            empty={
              <EmptyState icon="filter" title={t(search.app ? 'noneOfApp' : 'none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
        <MoreRows {...first} />
      </Panel>
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function useColumns(): Column<RuleRowFragment>[] {
  const { t, i18n } = useTranslation('rules');
  const { t: ta } = useTranslation('alerts');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      width: '20%',
      cell: (rule) => (
        <Link to="/alerts/rules/$ruleId" params={{ ruleId: rule.id }} className={classes.name}>
          {rule.name}
        </Link>
      ),
    },
    {
      id: 'enabled',
      header: t('enabled'),
      width: '80px',
      cell: (rule) => <RuleSwitch rule={rule} />,
    },
    {
      id: 'scope',
      header: t('scope'),
      width: '19%',
      cell: (rule) => <ScopeText scope={rule.scope} />,
    },
    {
      id: 'conditions',
      header: t('conditions.title'),
      width: '22%',
      cell: (rule) => {
        const [head, ...rest] = rule.conditions;
        if (!head) return null;
        return (
          <span>
            {conditionWords(head, t, ta)}
            {rest.length > 0 ? (
              <span
                className={own.sub}
                title={rest.map((c) => conditionWords(c, t, ta)).join('\n')}
              >
                {t('more', { count: rest.length })}
              </span>
            ) : null}
          </span>
        );
      },
    },
    {
      id: 'severity',
      header: t('severities'),
      span: true,
      cell: (rule) => severityWords(rule, i18n.language, t, ta),
    },
    {
      id: 'open',
      header: t('open'),
      width: '110px',
      align: 'end',
      cell: (rule) =>
        rule.openIncidents > 0 ? (
          <Link to="/alerts" search={{ rule: rule.id }} className={classes.open}>
            {number.format(rule.openIncidents)}
          </Link>
        ) : (
          0
        ),
    },
  ];
}

/** Switches a rule on and off from its row. */
function RuleSwitch({ rule }: { rule: RuleRowFragment }) {
  const { t } = useTranslation('rules');
  const reason = useRoleReason('DEVELOPER');
  const enable = useMutationAction(EnableRule, {
    pick: (data) => data.enableAlertRule,
    success: () => t('switchedOn', { name: rule.name }),
  });
  const disable = useMutationAction(DisableRule, {
    pick: (data) => data.disableAlertRule,
    success: () => t('switchedOff', { name: rule.name }),
  });
  const busy = enable.busy || disable.busy;
  return (
    <Tooltip label={reason} disabled={!reason}>
      <div className={classes.switch}>
        <Switch
          aria-label={t('switch', { name: rule.name })}
          aria-description={reason ?? undefined}
          checked={rule.enabled}
          disabled={reason !== null || busy}
          onChange={(event) =>
            void (event.currentTarget.checked ? enable : disable).run({ id: rule.id })
          }
        />
      </div>
    </Tooltip>
  );
}
