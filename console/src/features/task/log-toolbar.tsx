import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CombinedError } from 'urql';
import { Icon, type IconName } from '@/components/ui/icon';
import { useToast } from '@/components/ui/toast';
import { describeError } from '@/graphql/error';
import classes from './log.module.css';
import { levels } from './log-lines';
import type { LogFilter } from './log-rows';
import { save, wholeLog } from './log-text';

interface LogToolbarProps {
  taskId: string;
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  /** Null when lines no longer come. */
  paused: boolean | null;
  onPause: (paused: boolean) => void;
  /** Null when no error is among the lines. */
  onFirstError: (() => void) | null;
}

/** What can be done with the log. */
export function LogToolbar(props: LogToolbarProps) {
  const { t } = useTranslation('task');
  const { filter, onFilter, onFirstError } = props;
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('log.title')}>
      <TextInput
        type="search"
        aria-label={t('log.search')}
        placeholder={t('log.search')}
        leftSection={<Icon name="filter" size={14} />}
        w={190}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <Select
        aria-label={t('log.level')}
        w={168}
        value={filter.from}
        data={levels.map((value) => ({ value, label: t(`log.from.${value}`) }))}
        onChange={(value) =>
          onFilter({ ...filter, from: levels.find((level) => level === value) ?? 'DEBUG' })
        }
      />
      <Tooltip label={t('log.noError')} disabled={onFirstError !== null}>
        <Button
          variant="default"
          leftSection={<Icon name="failed" size={14} />}
          data-disabled={onFirstError ? undefined : true}
          aria-disabled={onFirstError ? undefined : true}
          onClick={() => onFirstError?.()}
        >
          {t('log.firstError')}
        </Button>
      </Tooltip>
      <Toggle
        icon="wrap"
        label={t('log.wrap')}
        on={props.wrap}
        onClick={() => props.onWrap(!props.wrap)}
      />
      {props.paused === null ? null : (
        <Toggle
          icon={props.paused ? 'play' : 'pause'}
          label={t(props.paused ? 'log.resume' : 'log.pause')}
          on={props.paused}
          onClick={() => props.onPause(!(props.paused ?? false))}
        />
      )}
      <Download taskId={props.taskId} />
    </div>
  );
}

function Toggle(props: { icon: IconName; label: string; on: boolean; onClick: () => void }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={props.label}
        aria-pressed={props.on}
        onClick={props.onClick}
      >
        <Icon name={props.icon} />
      </ActionIcon>
    </Tooltip>
  );
}

function Download({ taskId }: { taskId: string }) {
  const { t } = useTranslation('task');
  const { t: tc } = useTranslation();
  const toast = useToast();
  const [count, setCount] = useState<number | null>(null);
  const start = async () => {
    setCount(0);
    try {
      save(await wholeLog(taskId, setCount), `task-${taskId}.log`);
    } catch (error) {
      toast.fail(describeError(error as CombinedError).message || tc('error.network'));
    }
    setCount(null);
  };
  const label = count === null ? t('log.download') : t('log.downloading', { count });
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        loading={count !== null}
        onClick={() => void start()}
      >
        <Icon name="download" />
      </ActionIcon>
    </Tooltip>
  );
}
