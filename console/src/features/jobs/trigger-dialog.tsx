import { Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { JsonField, parseJson } from '@/components/ui/json-field';
import { Notice, SkeletonLines } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import { graphql } from '@/graphql/generated';
import {
  type DownstreamRule,
  downstreamRuleValues,
  type KeyRule,
  keyRuleValues,
  priorityValues,
} from '@/graphql/generated/enums';
import type { TriggerJobInput } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { TriggerJob } from './queries';

const JobParametersQuery = graphql(`
  query JobParameters($id: ID!) {
    job(id: $id) {
      id
      parameters
      priority
      downstream(first: 1) {
        id
      }
    }
  }
`);

interface TriggerDialogProps {
  /** The job to run; null while the dialog is closed. */
  job: { id: string; name: string } | null;
  onClose: () => void;
}

/** Runs a job now or after a delay, with its own parameters or others. */
export function TriggerDialog({ job, onClose }: TriggerDialogProps) {
  const { t } = useTranslation('jobs');
  return (
    <FormDialog
      opened={job !== null}
      onClose={onClose}
      size="lg"
      title={job ? t('runNamed', { name: job.name }) : ''}
    >
      {job ? <Loaded job={job} onClose={onClose} /> : null}
    </FormDialog>
  );
}

function Loaded({ job, onClose }: { job: { id: string; name: string }; onClose: () => void }) {
  const [result] = useQuery({
    query: JobParametersQuery,
    variables: { id: job.id },
    requestPolicy: 'network-only',
  });
  if (result.fetching) return <SkeletonLines lines={6} />;
  if (!result.data?.job)
    return <Notice tone="fail">{result.error?.graphQLErrors[0]?.message}</Notice>;
  const { parameters, downstream } = result.data.job;
  return (
    <TriggerForm
      job={job}
      initial={parameters}
      hasDownstream={downstream.length > 0}
      onClose={onClose}
    />
  );
}

const paths = [
  'input.parameters',
  'input.delay',
  'input.uniqueKey',
  'input.onKeyHeld',
  'input.priority',
  'input.downstream',
] as const;

function TriggerForm(props: {
  job: { id: string; name: string };
  initial: unknown;
  /** Jobs depend on this one: what becomes of them can be chosen. */
  hasDownstream: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('jobs');
  const { t: ts } = useTranslation('states');
  const [before] = useState(() =>
    props.initial == null ? '' : JSON.stringify(props.initial, null, 2),
  );
  const [parameters, setParameters] = useState(before);
  const [delay, setDelay] = useState('');
  const [uniqueKey, setUniqueKey] = useState('');
  const [keyRule, setKeyRule] = useState<KeyRule>('KEEP');
  const [priority, setPriority] = useState<string | null>(null);
  const [downstream, setDownstream] = useState<DownstreamRule>('TRIGGERS');
  // A second press of the button, or a repeated request, makes no second task.
  const [requestId] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const action = useMutationAction(TriggerJob, {
    pick: (data) => data.triggerJob,
    success: ({ task }) => ({
      text: t('triggered', { name: props.job.name }),
      link: task ? { text: t('openTask'), to: `/tasks/${task.id}` } : undefined,
    }),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, paths);

  const submit = async () => {
    const parsed = parseJson(parameters);
    if (!parsed.ok) return;
    const input: TriggerJobInput = {
      job: props.job.id,
      requestId,
      ...(parameters !== before && { parameters: parsed.value }),
      ...(delay.trim() && { delay: delay.trim() }),
      ...(uniqueKey.trim() && { uniqueKey: uniqueKey.trim(), onKeyHeld: keyRule }),
      ...(props.hasDownstream && { downstream }),
      ...(priority && { priority: priorityValues.find((p) => p === priority) }),
    };
    const { payload } = await action.run({ input });
    if (payload) props.onClose();
  };

  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={t('run.submit')}
      onSubmit={() => void submit()}
      onCancel={props.onClose}
    >
      <JsonField
        label={t('run.parameters')}
        description={t('run.parametersHint')}
        value={parameters}
        onChange={setParameters}
        error={errors.at['input.parameters']}
      />
      <Group grow align="start" gap={12}>
        <TextInput
          label={t('run.delay')}
          placeholder={t('run.now')}
          description={t('run.delayHint')}
          value={delay}
          onChange={(event) => setDelay(event.currentTarget.value)}
          error={errors.at['input.delay']}
        />
        <Select
          label={t('run.priority')}
          description={t('run.priorityHint')}
          placeholder={t('run.priorityDefault')}
          clearable
          value={priority}
          onChange={setPriority}
          data={priorityValues.map((value) => ({ value, label: ts(`priority.${value}`) }))}
          error={errors.at['input.priority']}
        />
      </Group>
      <Group grow align="start" gap={12}>
        <TextInput
          label={t('run.uniqueKey')}
          description={t('run.uniqueKeyHint')}
          value={uniqueKey}
          onChange={(event) => setUniqueKey(event.currentTarget.value)}
          error={errors.at['input.uniqueKey']}
        />
        <Select
          label={t('run.keyRule')}
          description={t(`run.keyMeans.${keyRule}`)}
          disabled={uniqueKey.trim() === ''}
          value={keyRule}
          onChange={(value) => setKeyRule(keyRuleValues.find((r) => r === value) ?? 'KEEP')}
          data={keyRuleValues.map((value) => ({ value, label: t(`run.keyRules.${value}`) }))}
          error={errors.at['input.onKeyHeld']}
        />
      </Group>
      {props.hasDownstream ? (
        <Select
          label={t('run.downstream')}
          description={t(`run.downstreamMeans.${downstream}`)}
          value={downstream}
          onChange={(value) =>
            setDownstream(downstreamRuleValues.find((r) => r === value) ?? 'TRIGGERS')
          }
          data={(['TRIGGERS', 'ALL', 'NONE'] as const).map((value) => ({
            value,
            label: t(`run.downstreams.${value}`),
          }))}
          error={errors.at['input.downstream']}
        />
      ) : null}
    </FormBody>
  );
}
