import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, ActionIconButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { type Column, DataTable } from '@/components/ui/data-table';
import { FilterBar } from '@/components/ui/filter-bar';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { Page, Panel } from '@/components/ui/page';
import { Badge } from '@/components/ui/state-badge';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import own from '@/features/alerts/alerts.module.css';
import { AlertsTabs } from '@/features/alerts/alerts-tabs';
import { ScopeText } from '@/features/alerts/scope-text';
import { weekText } from '@/features/calendars/week';
import type { SilenceRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { useNow } from '@/time/now';
import { weekdayNames } from '@/time/week';
import { EndSilence, SilencesQuery } from './queries';
import { type SilencesSearch, silenceTimes } from './search';
import { SilenceDialog } from './silence-dialog';
import { type SilenceTime, timeOf } from './silence-form';
import classes from './silences.module.css';

interface SilencesPageProps {
  search: SilencesSearch;
  onSearch: (change: SilencesSearch) => void;
}

/** What is measured and not sent: silences and maintenance windows, now, coming and past. */
export function SilencesPage({ search, onSearch }: SilencesPageProps) {
  const { t } = useTranslation('silences');
  const read = useRead({ query: SilencesQuery, variables: {} });
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<SilenceRowFragment | null>(null);
  const now = useNow(20);
  const rows = useMemo(
    () => read.data && listed(read.data.silences, search.show, now),
    [read.data, search.show, now],
  );
  const first = useFirstRows(rows, 100);
  const columns = useColumns(now, setEnding);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton atLeast="OPERATOR" primary icon="plus" onClick={() => setCreating(true)}>
          {t('create')}
        </ActionButton>
      }
    >
      <AlertsTabs />
      <FilterBar active={search.show ? 1 : 0} onReset={() => onSearch({ show: undefined })}>
        <Select
          aria-label={t('show.label')}
          placeholder={t('show.none')}
          w={200}
          clearable
          value={search.show ?? null}
          data={silenceTimes.map((value) => ({ value, label: t(`show.${value}`) }))}
          onChange={(value) => onSearch({ show: silenceTimes.find((s) => s === value) })}
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
            rowKey={(silence) => silence.id}
            refreshing={read.refreshing}
            skeletonRows={3}
            empty={
              <EmptyState icon="silence" title={t(search.show ? 'noMatch' : 'none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
        <MoreRows {...first} />
      </Panel>
      <SlowHint slow={read.slow} />
      <SilenceDialog opened={creating} onClose={() => setCreating(false)} />
      <EndDialog silence={ending} onClose={() => setEnding(null)} />
    </Page>
  );
}

const order: Record<SilenceTime, number> = { active: 0, coming: 1, past: 2 };

/** Those that are asked for, what holds now first. */
function listed(
  all: readonly SilenceRowFragment[],
  show: SilencesSearch['show'],
  now: Date,
): SilenceRowFragment[] {
  return all
    .filter((silence) => {
      const time = timeOf(silence, now);
      return show === 'all' || (show ? time === show : time !== 'past');
    })
    .sort((a, b) => order[timeOf(a, now)] - order[timeOf(b, now)]);
}

const looks = {
  active: { tone: 'stop', icon: 'silence' },
  coming: { tone: 'wait', icon: 'waiting' },
  past: { tone: 'wait', icon: 'check' },
} as const;

function useColumns(
  now: Date,
  onEnd: (silence: SilenceRowFragment) => void,
): Column<SilenceRowFragment>[] {
  const { t, i18n } = useTranslation('silences');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'reason',
      header: t('reason'),
      title: true,
      cell: (silence) => (
        <>
          <span className={classes.clamp}>{silence.reason}</span>
          <span className={own.sub}>
            {t(`kinds.${silence.kind}`)} · {silence.author}
          </span>
        </>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      width: '110px',
      cell: (silence) => {
        const time = timeOf(silence, now);
        return <Badge look={looks[time]} label={t(`show.${time}`)} />;
      },
    },
    {
      id: 'scope',
      header: t('what'),
      cell: (silence) => (
        <>
          <ScopeText scope={silence.scope} />
          {silence.rule ? (
            <span className={own.sub}>{t('onlyRule', { name: silence.rule.name })}</span>
          ) : null}
        </>
      ),
    },
    {
      id: 'when',
      header: t('when'),
      span: true,
      cell: (silence) => <WhenText silence={silence} />,
    },
    {
      id: 'until',
      header: t('until'),
      width: '120px',
      cell: (silence) =>
        silence.active ? <TimeText at={silence.activeUntil} format="relative" /> : null,
    },
    {
      id: 'suppressed',
      header: t('suppressed'),
      width: '110px',
      align: 'end',
      cell: (silence) => number.format(Number(silence.suppressed)),
    },
    {
      id: 'actions',
      header: t('actions'),
      width: '60px',
      align: 'end',
      bare: true,
      cell: (silence) =>
        timeOf(silence, now) === 'past' ? null : (
          <ActionIconButton
            atLeast="OPERATOR"
            icon="close"
            label={t('end')}
            onClick={() => onEnd(silence)}
          />
        ),
    },
  ];
}

function WhenText({ silence }: { silence: SilenceRowFragment }) {
  const { t, i18n } = useTranslation('silences');
  const { recurrence } = silence;
  const bounds = (
    <>
      <TimeText at={silence.startsAt} /> – <TimeText at={silence.endsAt} empty={t('endless')} />
    </>
  );
  if (!recurrence) return <span>{bounds}</span>;
  const names = weekdayNames(i18n.language, 'short');
  const days = weekText(recurrence.days, names, i18n.language) || t('everyDay');
  return (
    <span>
      {days}, {recurrence.from}–{recurrence.to} {recurrence.zone}
      <span className={own.sub}>{bounds}</span>
    </span>
  );
}

function EndDialog(props: { silence: SilenceRowFragment | null; onClose: () => void }) {
  const { t } = useTranslation('silences');
  const action = useMutationAction(EndSilence, {
    pick: (data) => data.endSilence,
    success: () => t('ended'),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    props.onClose();
  };
  const end = async () => {
    if (!props.silence) return;
    const { payload } = await action.run({ id: props.silence.id });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={props.silence !== null}
      onClose={close}
      title={t('endTitle')}
      confirm={t('end')}
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void end()}
    >
      <p>{props.silence?.reason}</p>
      <p>{t('endText')}</p>
    </ConfirmDialog>
  );
}
