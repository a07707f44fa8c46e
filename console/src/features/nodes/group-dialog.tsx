import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { routingForm, routingInput } from '@/features/routing/routing';
import { RoutingFields } from '@/features/routing/routing-fields';
import { fieldErrors } from '@/graphql/field-errors';
import type {
  GroupCardFragment,
  NodeRowFragment,
  RoutingFieldsFragment,
} from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { formatDuration, parseDuration } from '@/time/duration';
import own from './nodes.module.css';
import { CreateNodeGroup, UpdateNodeGroup } from './queries';

interface GroupDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The group to edit; absent to create one. */
  group?: GroupCardFragment;
  /** Its nodes, as far as they are known. */
  nodes?: NodeRowFragment[] | undefined;
  /** Apps to choose from when creating. */
  apps: { value: string; label: string }[];
  /** The app chosen at first. */
  app?: string | undefined;
}

/** Creates or edits a node group. */
export function GroupDialog(props: GroupDialogProps) {
  const { t } = useTranslation('nodes');
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      title={props.group ? t('editTitle', { name: props.group.name }) : t('create')}
    >
      <GroupForm {...props} />
    </FormDialog>
  );
}

const paths = [
  'input.app',
  'input.name',
  'input.maxRunning',
  'input.releaseRate',
  'input.releaseBurst',
  'input.routing',
  'input.routingRule',
  'input.routingRule.key',
  'input.routingRule.node',
  'input.routingRule.fallback',
  'input.routingRule.fallbackAfter',
  'input.routingRule.labels',
  'input.heartbeatInterval',
  'input.heartbeatMisses',
] as const;

/** A limit as the field holds it: a number, or empty for none. */
type Limit = number | '';
const limitOf = (value: string | number): Limit => (typeof value === 'number' ? value : '');

const leastLoaded: RoutingFieldsFragment = {
  strategy: 'LEAST_LOADED',
  key: null,
  node: null,
  fallback: null,
  fallbackAfter: null,
  labels: null,
};

function useForm({ group, apps, app }: GroupDialogProps) {
  const [state, setState] = useState({
    app: app ?? apps[0]?.value ?? '',
    name: group?.name ?? '',
    maxRunning: (group?.maxRunning ?? '') as Limit,
    releaseRate: (group?.releaseRate ?? '') as Limit,
    releaseBurst: (group?.releaseBurst ?? '') as Limit,
    ...routingForm(group?.routingRule ?? leastLoaded),
    heartbeatInterval: group?.heartbeatInterval ?? '5s',
    heartbeatMisses: group?.heartbeatMisses ?? 3,
  });
  const set = (change: Partial<typeof state>) => setState((old) => ({ ...old, ...change }));
  const rules = {
    maxRunning: state.maxRunning === '' ? null : state.maxRunning,
    releaseRate: state.releaseRate === '' ? null : state.releaseRate,
    releaseBurst: state.releaseBurst === '' ? null : state.releaseBurst,
    routingRule: routingInput(state),
    heartbeatInterval: state.heartbeatInterval.trim(),
    heartbeatMisses: state.heartbeatMisses,
  };
  return { state, set, rules };
}

function GroupForm(props: GroupDialogProps) {
  const { t } = useTranslation('nodes');
  const { t: tc } = useTranslation();
  const form = useForm(props);
  const { state, set } = form;
  const create = useMutationAction(CreateNodeGroup, {
    pick: (d) => d.createNodeGroup,
    success: () => t('created', { name: state.name }),
    refusals: 'form',
  });
  const update = useMutationAction(UpdateNodeGroup, {
    pick: (d) => d.updateNodeGroup,
    success: () => t('saved', { name: state.name }),
    refusals: 'form',
  });
  const errors = fieldErrors([...create.userErrors, ...update.userErrors], paths);

  const submit = async () => {
    const { payload } = props.group
      ? await update.run({ input: { id: props.group.id, ...form.rules } })
      : await create.run({ input: { app: state.app, name: state.name.trim(), ...form.rules } });
    if (payload) props.onClose();
  };

  const interval = parseDuration(state.heartbeatInterval);
  const takeover = interval === null || interval <= 0 ? null : interval * state.heartbeatMisses;
  const limit = (field: 'maxRunning' | 'releaseRate' | 'releaseBurst') => (
    <NumberInput
      label={t(field)}
      description={t(`${field}Hint`)}
      placeholder={t('noLimit')}
      min={1}
      allowDecimal={false}
      value={state[field]}
      onChange={(value) => set({ [field]: limitOf(value) })}
      error={errors.at[`input.${field}`]}
    />
  );

  return (
    <FormBody
      problems={errors.rest}
      busy={create.busy || update.busy}
      submit={props.group ? tc('actions.save') : t('createSubmit')}
      onSubmit={() => void submit()}
      onCancel={props.onClose}
    >
      {props.group ? null : (
        <Group grow align="start" gap={12}>
          <Select
            label={t('app')}
            data={props.apps}
            searchable
            allowDeselect={false}
            value={state.app}
            onChange={(app) => set({ app: app ?? '' })}
            error={errors.at['input.app']}
          />
          <TextInput
            required
            label={t('name')}
            description={t('nameHint')}
            value={state.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={errors.at['input.name']}
          />
        </Group>
      )}
      {limit('maxRunning')}
      <Group grow align="start" gap={12}>
        {limit('releaseRate')}
        {limit('releaseBurst')}
      </Group>
      <RoutingFields
        form={state}
        set={(key, value) => set({ [key]: value })}
        errors={{
          routing: errors.at['input.routingRule'] ?? errors.at['input.routing'],
          routingKey: errors.at['input.routingRule.key'],
          routingNode: errors.at['input.routingRule.node'],
          routingFallback: errors.at['input.routingRule.fallback'],
          routingAfter: errors.at['input.routingRule.fallbackAfter'],
          routingLabels: errors.at['input.routingRule.labels'],
        }}
        inherits={false}
        nodes={props.nodes?.map(({ name, state: is, labels }) => ({
          name,
          online: is === 'ONLINE',
          labels,
        }))}
      />
      <Group grow align="start" gap={12}>
        <TextInput
          label={t('heartbeatInterval')}
          description={t('heartbeatIntervalHint')}
          value={state.heartbeatInterval}
          onChange={(event) => set({ heartbeatInterval: event.currentTarget.value })}
          error={errors.at['input.heartbeatInterval']}
        />
        <NumberInput
          label={t('heartbeatMisses')}
          description={t('heartbeatMissesHint')}
          min={1}
          allowDecimal={false}
          value={state.heartbeatMisses}
          onChange={(value) => set({ heartbeatMisses: typeof value === 'number' ? value : 3 })}
          error={errors.at['input.heartbeatMisses']}
        />
      </Group>
      <p className={own.takeover} aria-live="polite">
        {takeover === null ? '' : t('takeoverNow', { time: formatDuration(takeover) })}
      </p>
    </FormBody>
  );
}
