import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { Panel } from '@/components/ui/page';
import { EmptyState, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import type { JobRevisionsQuery } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { Changes } from './changes';
import { type Change, compare } from './compare';
import { RevisionPairQuery } from './queries';
import classes from './revisions.module.css';
import { RollBackDialog } from './roll-back-dialog';

/** What a way back would do, as it was when the dialog was opened. */
export interface Asked {
  revision: number;
  /** The job's version that the changes are told against. */
  version: number;
  changes: readonly Change[];
}

interface ComparePanelProps {
  job: NonNullable<JobRevisionsQuery['job']>;
  shown: number;
  /** Null: the version before. */
  against: number | null;
  onAgainst: (against: number | null) => void;
  onDone: () => void;
}

/** What differs between two versions, and the way back to the one that is looked at. */
export function ComparePanel(props: ComparePanelProps) {
  const { job, shown, against } = props;
  const { t } = useTranslation('revisions');
  const [asked, setAsked] = useState<Asked | null>(null);
  const before = against ?? shown - 1;
  const read = useRead({
    query: RevisionPairQuery,
    variables: { id: job.id, before, after: shown },
  });
  const pair = read.data?.job;
  const back = pair?.after?.rollBackChanges;
  const reason =
    job.deletedAt !== null
      ? t('back.deleted')
      : back?.length === 0
        ? t('back.nothing')
        : back
          ? null
          : t('back.notRead');
  return (
    <Panel
      title={t('compare.title', { number: shown })}
      actions={
        <ActionButton
          atLeast="DEVELOPER"
          icon="retrying"
          reason={reason}
          onClick={() => {
            if (pair && back) setAsked({ revision: shown, version: pair.version, changes: back });
          }}
        >
          {t('back.action')}
        </ActionButton>
      }
    >
      <div className={classes.against}>
        <Against {...props} />
      </div>
      {read.error && !pair ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : !pair ? (
        <SkeletonLines lines={6} />
      ) : (
        <Differences before={pair.before} after={pair.after} shown={shown} against={against} />
      )}
      <SlowHint slow={read.slow} />
      <RollBackDialog
        jobId={job.id}
        name={job.name}
        asked={asked}
        onClose={() => setAsked(null)}
        onRefused={read.refetch}
        onDone={() => {
          setAsked(null);
          props.onDone();
        }}
      />
    </Panel>
  );
}

function Against({ job, shown, against, onAgainst }: ComparePanelProps) {
  const { t } = useTranslation('revisions');
  const present = job.revisions.nodes[0]?.number;
  const others = job.revisions.nodes.filter((row) => row.number !== shown);
  const listed = others.some((row) => row.number === against);
  const extra = against !== null && !listed && against !== shown ? [against] : [];
  return (
    <Select
      label={t('compare.with')}
      w={260}
      allowDeselect={false}
      value={against === null ? 'previous' : String(against)}
      data={[
        { value: 'previous', label: t('compare.previous') },
        ...[...others.map((row) => row.number), ...extra].map((number) => ({
          value: String(number),
          label:
            number === present
              ? t('compare.present', { number })
              : t('compare.version', { number }),
        })),
      ]}
      onChange={(value) => onAgainst(value === 'previous' || value === null ? null : Number(value))}
    />
  );
}

type Version = { number: number; snapshot: unknown } | null;

function Differences(props: {
  before: Version;
  after: Version;
  shown: number;
  against: number | null;
}) {
  const { before, after, shown, against } = props;
  const { t } = useTranslation('revisions');
  if (!after) {
    return (
      <EmptyState icon="search" title={t('gone.title', { number: shown })}>
        {t('gone.text')}
      </EmptyState>
    );
  }
  if (!before) {
    return (
      <>
        <p className={classes.note}>{t(against === null ? 'compare.first' : 'compare.gone')}</p>
        <Changes changes={compare(null, after.snapshot)} />
      </>
    );
  }
  const changes = compare(before.snapshot, after.snapshot);
  if (changes.length === 0) return <p className={classes.note}>{t('compare.same')}</p>;
  return (
    <>
      <p className={classes.note}>
        <del className={classes.gone}>{t('compare.version', { number: before.number })}</del>
        {' → '}
        <ins className={classes.new}>{t('compare.version', { number: after.number })}</ins>
      </p>
      <Changes changes={changes} />
    </>
  );
}
