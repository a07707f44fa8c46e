import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { Panel } from '@/components/ui/page';
import { ScopeText } from '@/features/alerts/scope-text';
import type { RuleDetailFragment } from '@/graphql/generated/graphql';
import { ruleForm } from './form';
import { MomentAnswer } from './moment-answer';
import classes from './rules.module.css';
import { WeekBar } from './week-bar';
import { conditionWords, severityWords } from './words';

/** What a rule says, for those who may not edit it. */
export function RuleFacts({ rule }: { rule: RuleDetailFragment }) {
  const { t, i18n } = useTranslation('rules');
  const { t: ta } = useTranslation('alerts');
  const [at, setAt] = useState({ day: 2, minute: 180 });
  const form = ruleForm(rule);
  return (
    <>
      <Panel title={t('what')}>
        <Facts>
          <Fact label={t('scope')}>
            <ScopeText scope={rule.scope} />
          </Fact>
          <Fact wide label={t('conditions.title')}>
            <ul className={classes.plain}>
              {rule.conditions.map((condition) => {
                const words = conditionWords(condition, t, ta);
                return <li key={words}>{words}</li>;
              })}
            </ul>
          </Fact>
          <Fact wide label={t('severities')}>
            {severityWords(rule, i18n.language, t, ta)}
          </Fact>
        </Facts>
      </Panel>
      <Panel title={t('severity.title')}>
        <div className={classes.stack}>
          <WeekBar
            windows={form.windows}
            severity={form.severity}
            zone={form.zone}
            at={at}
            onAt={setAt}
          />
          <MomentAnswer form={form} at={at} onAt={setAt} />
        </div>
      </Panel>
    </>
  );
}
