import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorState, Notice, SkeletonLines, SlowHint } from '@/components/ui/states';
import { everything } from '@/features/alerts/scope';
import { describeError } from '@/graphql/error';
import type { RuleDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useSlow } from '@/graphql/use-read';
import { useCan } from '@/session/context';
import { useRoleReason } from '@/session/role';
import { useTimeSettings } from '@/time/view';
import { newRule, type RuleForm, ruleForm, ruleInput } from './form';
import { CreateRule, DeleteRule, RuleJobQuery, RuleQuery, UpdateRule } from './queries';
import { RuleFacts } from './rule-facts';
import { RuleEditor } from './rule-form';

/** Makes a rule; about one job when the address names it. */
export function NewRulePage({ job }: { job: string | null }) {
  const { t } = useTranslation('rules');
  const allowed = useCan('DEVELOPER');
  const reason = useRoleReason('DEVELOPER');
  const { ownZone } = useTimeSettings();
  const [result] = useQuery({
    query: RuleJobQuery,
    variables: { id: job ?? '' },
    pause: job === null,
  });
  const found = result.data?.job;
  const waits = job !== null && !result.data && !result.error;
  const scope = found
    ? {
        ...everything,
        kind: 'JOB' as const,
        job: { id: found.id, label: `${found.app.name} / ${found.name}` },
      }
    : everything;
  return (
    <Page title={t('create')} crumbs={<Link to="/alerts/rules">{t('title')}</Link>}>
      {!allowed ? (
        <EmptyState icon="key" title={t('forbidden')}>
          {reason}
        </EmptyState>
      ) : waits ? (
        <Panel>
          <SkeletonLines lines={10} />
        </Panel>
      ) : (
        <Creator initial={newRule(ownZone, scope)} />
      )}
    </Page>
  );
}

function Creator({ initial }: { initial: RuleForm }) {
  const { t } = useTranslation('rules');
  const navigate = useNavigate();
  const [begun] = useState(initial);
  const action = useMutationAction(CreateRule, {
    pick: (data) => data.createAlertRule,
    success: (payload) => t('made', { name: payload.alertRule?.name }),
    refusals: 'form',
  });
  const leave = (ignoreBlocker: boolean) => void navigate({ to: '/alerts/rules', ignoreBlocker });
  return (
    <RuleEditor
      initial={begun}
      submitLabel={t('createSubmit')}
      busy={action.busy}
      refusals={action.userErrors}
      onSubmit={async (form) =>
        (await action.run({ input: ruleInput(form, null) })).payload !== null
      }
      onSaved={() => leave(true)}
      onCancel={() => leave(false)}
    />
  );
}

/** One rule: its editor, or for those who may not edit, what it says. */
export function RulePage({ id }: { id: string }) {
  const { t } = useTranslation('rules');
  const allowed = useCan('DEVELOPER');
  const [result, again] = useQuery({
    query: RuleQuery,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  const rule = result.data?.alertRule;
  const slow = useSlow(result.fetching);
  return (
    <Page
      title={rule?.name ?? t('one')}
      crumbs={<Link to="/alerts/rules">{t('title')}</Link>}
      lead={rule?.description || null}
      actions={rule ? <RuleActions rule={rule} /> : null}
    >
      {rule ? (
        allowed ? (
          <Based latest={rule} />
        ) : (
          <RuleFacts rule={rule} />
        )
      ) : result.error ? (
        <ErrorState error={describeError(result.error)} onRetry={() => again()} />
      ) : result.fetching ? (
        <Panel>
          <SkeletonLines lines={12} />
        </Panel>
      ) : (
        <EmptyState icon="filter" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      )}
      <SlowHint slow={slow} />
    </Page>
  );
}

// The form stays based on the version it was opened with, also when the cache learns of a newer one.
function Based({ latest }: { latest: RuleDetailFragment }) {
  const { t } = useTranslation('rules');
  const [base, setBase] = useState(latest);
  return (
    <>
      {latest.version > base.version ? (
        <Notice tone="retry">
          {t('newer', { version: latest.version })}{' '}
          <Button size="compact-xs" variant="light" onClick={() => setBase(latest)}>
            {t('loadNewer')}
          </Button>
        </Notice>
      ) : null}
      <Changer key={base.version} rule={base} />
    </>
  );
}

function Changer({ rule }: { rule: RuleDetailFragment }) {
  const { t } = useTranslation('rules');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [initial] = useState(() => ruleForm(rule));
  const action = useMutationAction(UpdateRule, {
    pick: (data) => data.updateAlertRule,
    success: (payload) => t('saved', { name: payload.alertRule?.name }),
    refusals: 'form',
  });
  const leave = (ignoreBlocker: boolean) => void navigate({ to: '/alerts/rules', ignoreBlocker });
  return (
    <RuleEditor
      initial={initial}
      submitLabel={tc('actions.save')}
      busy={action.busy}
      refusals={action.userErrors}
      onSubmit={async (form) => {
        const { payload } = await action.run({
          id: rule.id,
          input: ruleInput(form, rule.version),
        });
        return payload !== null;
      }}
      onSaved={() => leave(true)}
      onCancel={() => leave(false)}
    />
  );
}

function RuleActions({ rule }: { rule: RuleDetailFragment }) {
  const { t } = useTranslation('rules');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const action = useMutationAction(DeleteRule, {
    pick: (data) => data.deleteAlertRule,
    success: () => t('deleted', { name: rule.name }),
    refusals: 'form',
  });
  const remove = async () => {
    const { payload } = await action.run({ id: rule.id });
    if (payload) void navigate({ to: '/alerts/rules', ignoreBlocker: true });
  };
  return (
    <>
      <ActionButton atLeast="DEVELOPER" icon="trash" onClick={() => setAsking(true)}>
        {tc('actions.delete')}
      </ActionButton>
      <ConfirmDialog
        opened={asking}
        onClose={() => {
          action.clear();
          setAsking(false);
        }}
        title={t('deleteTitle', { name: rule.name })}
        confirm={tc('actions.delete')}
        danger
        busy={action.busy}
        error={action.userErrors.map((e) => e.message).join(' ') || null}
        onConfirm={() => void remove()}
      >
        <p>{t('deleteText')}</p>
      </ConfirmDialog>
    </>
  );
}
