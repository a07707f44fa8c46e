import { ActionIcon, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { ZoneSelect } from '@/components/ui/zone-select';
import {
  dependencyConditionValues,
  dependencyModeValues,
  dependencyWindowValues,
} from '@/graphql/generated/enums';
import { browserZone } from '@/time/format';
import classes from '../editor.module.css';
import { ChoiceField, type SectionProps } from '../fields';
import type { UpstreamJob } from '../form';
import own from './dependency.module.css';
import { NeighboursPicture } from './neighbours-picture';
import { UpstreamPicker } from './upstream-picker';
import { useNeighbours } from './use-neighbours';
import { useSentence } from './use-sentence';

/** The fields of a dependency trigger: which jobs, which of their ends, and which runs belong together. */
export function DependencyFields({ jobId, ...props }: SectionProps & { jobId: string | null }) {
  const { form, set, errors } = props;
  const { t } = useTranslation('editor');
  const sentence = useSentence(form);
  const neighbours = useNeighbours({ id: jobId, name: form.name }, form.upstream);
  const taken = [...form.upstream.map((job) => job.id), ...(jobId === null ? [] : [jobId])];
  const change = (id: string, over: Partial<UpstreamJob>) =>
    set(
      'upstream',
      form.upstream.map((job) => (job.id === id ? { ...job, ...over } : job)),
    );
  return (
    <>
      <div className={classes.wide}>
        <UpstreamPicker
          taken={taken}
          error={errors.upstream}
          onPick={(job) => set('upstream', [...form.upstream, { ...job, on: 'SUCCESS' }])}
        />
        <ul className={own.upstream} aria-label={t('dep.upstream')}>
          {form.upstream.map((job) => (
            <UpstreamRow
              key={job.id}
              job={job}
              onChange={(over) => change(job.id, over)}
              onRemove={() =>
                set(
                  'upstream',
                  form.upstream.filter((j) => j.id !== job.id),
                )
              }
            />
          ))}
        </ul>
      </div>
      <div>
        <div className={own.label}>{t('dep.mode')}</div>
        <SegmentedControl
          fullWidth
          aria-label={t('dep.mode')}
          value={form.mode}
          onChange={(value) =>
            set('mode', dependencyModeValues.find((m) => m === value) ?? form.mode)
          }
          data={dependencyModeValues.map((value) => ({ value, label: t(`dep.modes.${value}`) }))}
        />
      </div>
      <ChoiceField
        {...props}
        name="window"
        label={t('dep.window')}
        values={dependencyWindowValues}
        text={(value) => t(`dep.windows.${value}`)}
      />
      {form.window === 'RUN' ? null : (
        <ZoneSelect
          label={t('when.zone')}
          description={t('when.zoneHint', { zone: browserZone() })}
          value={form.zone}
          onChange={(zone) => set('zone', zone)}
          error={errors.zone}
        />
      )}
      <p className={own.sentence} aria-live="polite">
        {sentence ?? t('dep.noSentence')}
      </p>
      <div className={classes.wide}>
        <NeighboursPicture neighbours={neighbours} />
      </div>
    </>
  );
}

interface UpstreamRowProps {
  job: UpstreamJob;
  onChange: (over: Partial<UpstreamJob>) => void;
  onRemove: () => void;
}

function UpstreamRow({ job, onChange, onRemove }: UpstreamRowProps) {
  const { t } = useTranslation('editor');
  const remove = t('dep.remove', { name: job.name });
  return (
    <li>
      <span className={own.name}>
        <span>{job.app} / </span>
        {job.name}
      </span>
      <Select
        aria-label={t('dep.on', { name: job.name })}
        w={170}
        value={job.on}
        data={dependencyConditionValues.map((value) => ({
          value,
          label: t(`dep.conditions.${value}`),
        }))}
        onChange={(value) =>
          onChange({ on: dependencyConditionValues.find((c) => c === value) ?? job.on })
        }
      />
      <Tooltip label={remove}>
        <ActionIcon aria-label={remove} onClick={onRemove}>
          <Icon name="close" />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
