import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { pinFallbackValues, routingStrategyValues } from '@/graphql/generated/enums';
import { type Candidate, matching, type RoutingForm } from './routing';
import classes from './routing.module.css';

interface RoutingFieldsProps {
  form: RoutingForm;
  set<Key extends keyof RoutingForm>(key: Key, value: RoutingForm[Key]): void;
  errors: Partial<Record<keyof RoutingForm, string>>;
  /** There is a routing above, which is used when none is chosen. */
  inherits: boolean;
  /** Nodes of the group; undefined while they are not known. */
  nodes: readonly Candidate[] | undefined;
}

const mono = { input: { fontFamily: 'var(--bf-mono)' } };
const examples = { key: '/order/id', labels: 'zone=a' };

/** How tasks are spread over nodes: the strategy with what it means, and the fields that it needs. */
export function RoutingFields(props: RoutingFieldsProps) {
  const { form, set, errors } = props;
  const { t } = useTranslation('routing');
  // A group cannot broadcast: all its jobs would run everywhere.
  const values = props.inherits
    ? (['', ...routingStrategyValues] as const)
    : routingStrategyValues.filter((value) => value !== 'BROADCAST');
  return (
    <>
      <Select
        label={t('label')}
        description={t(`means.${form.routing === '' ? 'GROUP' : form.routing}`)}
        allowDeselect={false}
        value={form.routing}
        data={values.map((value) => ({ value, label: t(`strategy.${value || 'GROUP'}`) }))}
        onChange={(chosen) =>
          set('routing', values.find((value) => value === chosen) ?? form.routing)
        }
        error={errors.routing}
      />
      {form.routing === 'CONSISTENT_HASH' ? (
        <TextInput
          label={t('key')}
          description={t('keyHint')}
          placeholder={examples.key}
          styles={mono}
          value={form.routingKey}
          onChange={(event) => set('routingKey', event.currentTarget.value)}
          error={errors.routingKey}
        />
      ) : null}
      {form.routing === 'PINNED' ? <PinFields {...props} /> : null}
      {form.routing === 'LABELS' ? (
        <div>
          <Textarea
            withAsterisk
            aria-required
            autosize
            minRows={2}
            label={t('labels')}
            description={t('labelsHint')}
            placeholder={examples.labels}
            styles={mono}
            value={form.routingLabels}
            onChange={(event) => set('routingLabels', event.currentTarget.value)}
            error={errors.routingLabels}
          />
          <Matches nodes={props.nodes} labels={form.routingLabels} />
        </div>
      ) : null}
    </>
  );
}

function PinFields({ form, set, errors, nodes }: RoutingFieldsProps) {
  const { t } = useTranslation('routing');
  const name = form.routingNode.trim();
  const node = nodes?.find((each) => each.name === name);
  const state = !nodes || name === '' ? null : !node ? 'unknown' : node.online ? 'online' : 'away';
  return (
    <>
      <div>
        <Autocomplete
          withAsterisk
          aria-required
          label={t('node')}
          description={t('nodeHint')}
          data={[...new Set(nodes?.map((each) => each.name))]}
          limit={50}
          value={form.routingNode}
          onChange={(value) => set('routingNode', value)}
          error={errors.routingNode}
        />
        <p className={classes.now} aria-live="polite">
          {state ? t(`nodeNow.${state}`) : ''}
        </p>
      </div>
      <Select
        label={t('fallback')}
        description={t(`fallbackMeans.${form.routingFallback}`)}
        allowDeselect={false}
        value={form.routingFallback}
        data={pinFallbackValues.map((value) => ({ value, label: t(`fallbacks.${value}`) }))}
        onChange={(chosen) =>
          set(
            'routingFallback',
            pinFallbackValues.find((v) => v === chosen) ?? form.routingFallback,
          )
        }
        error={errors.routingFallback}
      />
      {form.routingFallback === 'WAIT' ? null : (
        <TextInput
          label={t('after')}
          description={t('afterHint')}
          placeholder="30s"
          styles={mono}
          value={form.routingAfter}
          onChange={(event) => set('routingAfter', event.currentTarget.value)}
          error={errors.routingAfter}
        />
      )}
    </>
  );
}

/** How many nodes have the labels now: a typing error shows before a task waits for ever. */
function Matches({ nodes, labels }: { nodes: readonly Candidate[] | undefined; labels: string }) {
  const { t } = useTranslation('routing');
  const found = nodes && matching(nodes, labels);
  return (
    <p className={classes.now} data-none={found?.length === 0 || undefined} aria-live="polite">
      {!found || !nodes
        ? ''
        : found.length === 0
          ? t('matchNone')
          : t('match', {
              count: nodes.length,
              found: found.length,
              names: found
                .slice(0, 5)
                .map((node) => node.name)
                .join(', '),
            })}
    </p>
  );
}
