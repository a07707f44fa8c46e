import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Panel } from '@/components/ui/page';
import type { Candidate } from '@/features/routing/routing';
import { RoutingFields } from '@/features/routing/routing-fields';
import {
  backoffValues,
  concurrencyPolicyValues,
  deliveryValues,
  misfirePolicyValues,
  priorityValues,
} from '@/graphql/generated/enums';
import classes from './editor.module.css';
import { ChoiceField, type SectionProps, TextField } from './fields';
import { GroupHandlersQuery } from './queries';

/** Limits, and what happens when things go wrong. */
export function RulesSection(props: SectionProps) {
  const { form } = props;
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const { t: ts } = useTranslation('states');
  return (
    <>
      <Panel title={t('limits.title')}>
        <div className={classes.fields}>
          <TextField
            {...props}
            name="timeout"
            label={t('limits.timeout')}
            description={t('limits.timeoutHint')}
            mono
          />
          <ChoiceField
            {...props}
            name="priority"
            label={t('limits.priority')}
            description={t('limits.priorityHint')}
            values={priorityValues}
            text={(value) => ts(`priority.${value}`)}
          />
          <ChoiceField
            {...props}
            name="concurrency"
            label={t('limits.concurrency')}
            description={t('limits.concurrencyHint')}
            values={concurrencyPolicyValues}
            text={(value) => tj(`concurrency.${value}`)}
          />
          <TextField
            {...props}
            name="maxRunning"
            label={t('limits.maxRunning')}
            description={t('limits.maxRunningHint')}
            placeholder={t('limits.noLimit')}
            inputMode="numeric"
          />
        </div>
      </Panel>
      <Panel title={t('where.title')}>
        <div className={classes.fields}>
          <RoutingFields {...props} inherits nodes={useCandidates(form.group)} />
        </div>
      </Panel>
      <Panel title={t('failure.title')}>
        <div className={classes.fields}>
          <TextField
            {...props}
            name="maxAttempts"
            label={t('failure.maxAttempts')}
            description={t('failure.maxAttemptsHint')}
            inputMode="numeric"
          />
          {Number(form.maxAttempts) > 1 ? <RetryFields {...props} /> : null}
          <ChoiceField
            {...props}
            name="delivery"
            label={t('failure.delivery')}
            description={t('failure.deliveryHint')}
            values={deliveryValues}
            text={(value) => tj(`delivery.${value}`)}
          />
        </div>
      </Panel>
      {form.kind === 'MANUAL' || form.kind === 'DEPENDENCY' ? null : (
        <Panel title={t('missed.title')}>
          <div className={classes.fields}>
            <ChoiceField
              {...props}
              name="misfirePolicy"
              label={t('missed.policy')}
              description={t('missed.policyHint')}
              values={misfirePolicyValues}
              text={(value) => tj(`misfire.${value}`, { limit: form.misfireLimit || '100' })}
            />
            <TextField
              {...props}
              name="grace"
              label={t('missed.grace')}
              description={t('missed.graceHint')}
              mono
            />
            {form.misfirePolicy === 'FIRE_ALL' ? (
              <TextField
                {...props}
                name="misfireLimit"
                label={t('missed.limit')}
                description={t('missed.limitHint')}
                inputMode="numeric"
              />
            ) : null}
          </div>
        </Panel>
      )}
    </>
  );
}

/** The nodes of the group that the job is for, as routing looks at them. */
function useCandidates(group: string): Candidate[] | undefined {
  const [{ data }] = useQuery({
    query: GroupHandlersQuery,
    variables: { id: group },
    pause: group === '',
  });
  return data?.nodeGroup?.nodes.map(({ name, state, labels }) => ({
    name,
    online: state === 'ONLINE',
    labels,
  }));
}

function RetryFields(props: SectionProps) {
  const { t } = useTranslation('editor');
  return (
    <>
      <ChoiceField
        {...props}
        name="backoff"
        label={t('failure.backoff')}
        description={t('failure.backoffHint')}
        values={backoffValues}
        text={(value) => t(`failure.${value}`)}
      />
      <TextField
        {...props}
        name="retryDelay"
        label={t('failure.delay')}
        description={t('failure.delayHint')}
        mono
      />
      {props.form.backoff === 'EXPONENTIAL' ? (
        <TextField
          {...props}
          name="retryMaxDelay"
          label={t('failure.maxDelay')}
          description={t('failure.maxDelayHint')}
          placeholder={t('failure.maxDelayDefault')}
          mono
        />
      ) : null}
      <TextField
        {...props}
        name="retryJitter"
        label={t('failure.jitter')}
        description={t('failure.jitterHint')}
        placeholder="0"
        inputMode="numeric"
      />
    </>
  );
}
