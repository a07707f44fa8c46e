import { Select, Textarea } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { JsonField } from '@/components/ui/json-field';
import { Panel } from '@/components/ui/page';
import classes from './editor.module.css';
import { type SectionProps, TextField } from './fields';
import { GroupHandlersQuery, GroupOptionsQuery } from './queries';

/** Where the job lives, what it is called and what it runs. */
export function WhatSection({ appId, ...props }: SectionProps & { appId: string | null }) {
  const { form, set, errors } = props;
  const { t } = useTranslation('editor');
  const handlerList = useId();
  const [groups] = useQuery({ query: GroupOptionsQuery });
  const [known] = useQuery({
    query: GroupHandlersQuery,
    variables: { id: form.group },
    pause: form.group === '',
  });
  const options = (groups.data?.nodeGroups ?? [])
    // A job stays in its app.
    .filter((group) => appId === null || group.app.id === appId)
    .map((group) => ({ value: group.id, label: `${group.app.name} / ${group.name}` }));
  const handlers = [
    ...new Set(known.data?.nodeGroup?.nodes.flatMap((node) => node.handlers)),
  ].sort();

  return (
    <Panel title={t('what.title')}>
      <div className={classes.fields}>
        <TextField {...props} name="name" label={t('what.name')} required autoFocus />
        <Select
          label={t('what.group')}
          description={t('what.groupHint')}
          withAsterisk
          aria-required
          searchable
          nothingFoundMessage={groups.fetching ? t('what.loading') : t('what.noGroup')}
          value={form.group || null}
          data={options}
          onChange={(group) => set('group', group ?? '')}
          error={errors.group}
        />
        <TextField
          {...props}
          name="handler"
          label={t('what.handler')}
          description={t('what.handlerHint')}
          required
          mono
          list={handlerList}
        />
        <datalist id={handlerList}>
          {handlers.map((handler) => (
            <option key={handler} value={handler} />
          ))}
        </datalist>
        <Textarea
          label={t('what.description')}
          autosize
          minRows={1}
          maxRows={6}
          value={form.description}
          onChange={(event) => set('description', event.currentTarget.value)}
          error={errors.description}
        />
        <div className={classes.wide}>
          <JsonField
            label={t('what.parameters')}
            description={t('what.parametersHint')}
            value={form.parameters}
            onChange={(text) => set('parameters', text)}
            error={errors.parameters}
            rows={5}
          />
        </div>
        <div className={classes.wide}>
          <Textarea
            label={t('what.labels')}
            description={t('what.labelsHint')}
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            value={form.labels}
            onChange={(event) => set('labels', event.currentTarget.value)}
            error={errors.labels}
            styles={{ input: { fontFamily: 'var(--bf-mono)' } }}
          />
        </div>
      </div>
    </Panel>
  );
}
