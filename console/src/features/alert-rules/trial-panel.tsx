import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Panel } from '@/components/ui/page';
import { Notice, SkeletonLines, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { SeverityBadge } from '@/features/alerts/badges';
import { describeError } from '@/graphql/error';
import type { AlertRuleInput, AlertRuleTrialQuery } from '@/graphql/generated/graphql';
import { useSlow } from '@/graphql/use-read';
import { RuleTrialQuery } from './queries';
import classes from './rules.module.css';

type Trial = AlertRuleTrialQuery['alertRuleTrial'];

const days = 7;

/** What the rule as it stands in the form would have sent last week, run over what happened; `input` is null while it cannot be sent. */
export function TrialPanel({ input, zone }: { input: () => AlertRuleInput | null; zone: string }) {
  const { t } = useTranslation('rules');
  const [asked, setAsked] = useState<AlertRuleInput | null>(null);
  const [result, again] = useQuery({
    query: RuleTrialQuery,
    variables: { input: asked as AlertRuleInput, days },
    pause: asked === null,
    requestPolicy: 'network-only',
  });
  const trial = result.data?.alertRuleTrial;
  const slow = useSlow(result.fetching);
  const fault = result.error && !result.fetching ? describeError(result.error) : null;
  const ask = () => {
    const next = input();
    if (!next) return;
    if (JSON.stringify(next) === JSON.stringify(asked)) again({ requestPolicy: 'network-only' });
    else setAsked(next);
  };
  return (
    <Panel title={t('trial.title')}>
      <div className={classes.stack} aria-live="polite">
        <p className={classes.hint}>{t('trial.hint')}</p>
        <div>
          <Button variant="default" loading={result.fetching} onClick={ask}>
            {t('trial.ask')}
          </Button>
        </div>
        {fault ? <Notice tone="fail">{fault.message}</Notice> : null}
        {result.fetching && !trial ? <SkeletonLines lines={5} /> : null}
        {trial?.error ? <Notice tone="fail">{trial.error.message}</Notice> : null}
        {trial && !trial.error && !fault ? <Answer trial={trial} zone={zone} /> : null}
        <SlowHint slow={slow} />
      </div>
    </Panel>
  );
}

function Answer({ trial, zone }: { trial: Trial; zone: string }) {
  const { t, i18n } = useTranslation('rules');
  const number = new Intl.NumberFormat(i18n.language);
  const figures = [
    ['events', Number(trial.events)],
    ['incidents', trial.incidents],
    ['messages', trial.messages],
    ['suppressed', trial.suppressed],
  ] as const;
  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`trial.${name}`)}</dt>
            <dd>{number.format(value)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.hint}>
        {t('trial.covered')} <TimeText at={trial.coveredFrom} jobZone={zone} />
      </p>
      {trial.entries.length === 0 ? <p>{t('trial.nothing')}</p> : null}
      <ol className={classes.trial}>
        {trial.entries.map((entry, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be alike, and the list is never reordered
          <li key={i}>
            <span className={classes.trialHead}>
              <TimeText at={entry.at} jobZone={zone} />
              <SeverityBadge severity={entry.severity} />
              {entry.digest ? <span className={classes.tag}>{t('trial.digest')}</span> : null}
              {entry.sent ? null : <span className={classes.tag}>{t('trial.suppressed')}</span>}
              <span className={classes.hint}>{entry.channel}</span>
            </span>
            <span>
              {entry.title}
              {entry.problems > 1 ? (
                <span className={classes.hint}>
                  {' '}
                  {t('trial.problems', { count: entry.problems })}
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
      {trial.messages > trial.entries.length ? (
        <p className={classes.hint}>
          {t('trial.more', { count: trial.messages - trial.entries.length })}
        </p>
      ) : null}
    </>
  );
}
