import { ActionIcon, Button, Menu, Select, TextInput, Tooltip } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import classes from './log.module.css';
import { levels } from './log-lines';
import type { LogFilter } from './log-rows';
import { downloadFormats, downloadPath } from './log-text';

/** The places that one can jump between, and where one is: from 1, 0 before the first jump. */
export interface Stops {
  at: number;
  count: number;
  go: (step: 1 | -1) => void;
}

interface LogToolbarProps {
  taskId: string;
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  relative: boolean;
  onRelative: (relative: boolean) => void;
  /** Null when lines no longer come. */
  paused: boolean | null;
  onPause: (paused: boolean) => void;
  matches: Stops;
  errors: Stops;
}

/** What can be done with the log. */
export function LogToolbar(props: LogToolbarProps) {
  const { t } = useTranslation('task');
  const { filter, onFilter } = props;
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('log.title')}>
      <Search filter={filter} onFilter={onFilter} matches={props.matches} />
      <Select
        aria-label={t('log.level')}
        w={168}
        value={filter.from}
        data={levels.map((value) => ({ value, label: t(`log.from.${value}`) }))}
        onChange={(value) =>
          onFilter({ ...filter, from: levels.find((level) => level === value) ?? 'DEBUG' })
        }
      />
      <Errors errors={props.errors} />
      <Toggle
        icon="wrap"
        label={t('log.wrap')}
        on={props.wrap}
        onClick={() => props.onWrap(!props.wrap)}
      />
      <Toggle
        icon="clock"
        label={t('log.relative')}
        on={props.relative}
        onClick={() => props.onRelative(!props.relative)}
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

function Search(props: {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  matches: Stops;
}) {
  const { t, i18n } = useTranslation('task');
  const { filter, onFilter, matches } = props;
  const number = new Intl.NumberFormat(i18n.language);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    matches.go(event.shiftKey ? -1 : 1);
  };
  const searching = filter.text.trim() !== '';
  return (
    <>
      <TextInput
        type="search"
        aria-label={t('log.search')}
        placeholder={t('log.search')}
        leftSection={<Icon name="search" size={14} />}
        w={190}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {searching ? (
        <>
          <span className={classes.found} role="status">
            {matches.at > 0
              ? t('log.foundAt', {
                  at: number.format(matches.at),
                  total: number.format(matches.count),
                })
              : t('log.found', { count: matches.count })}
          </span>
          <Step label={t('log.previous')} flip stops={matches} step={-1} />
          <Step label={t('log.next')} stops={matches} step={1} />
          <Toggle
            icon="filter"
            label={t('log.only')}
            on={filter.only}
            onClick={() => onFilter({ ...filter, only: !filter.only })}
          />
        </>
      ) : null}
    </>
  );
}

function Step(props: { label: string; flip?: boolean; stops: Stops; step: 1 | -1 }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={props.label}
        disabled={props.stops.count === 0}
        onClick={() => props.stops.go(props.step)}
      >
        <span className={props.flip ? classes.flip : undefined}>
          <Icon name="chevronDown" size={14} />
        </span>
      </ActionIcon>
    </Tooltip>
  );
}

/** Jumps to the first error, then from one to the next. */
function Errors({ errors }: { errors: Stops }) {
  const { t } = useTranslation('task');
  const none = errors.count === 0;
  return (
    <Tooltip label={t('log.noError')} disabled={!none}>
      <Button
        variant="default"
        leftSection={<Icon name="failed" size={14} />}
        data-errors=""
        data-disabled={none || undefined}
        aria-disabled={none || undefined}
        onClick={() => (none ? undefined : errors.go(1))}
      >
        {errors.at === 0
          ? t('log.firstError')
          : t('log.nextError', { at: errors.at, total: errors.count })}
      </Button>
    </Tooltip>
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

/** The server sends the file: however long it is, the page holds none of it. */
function Download({ taskId }: { taskId: string }) {
  const { t } = useTranslation('task');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('log.download')}>
          <ActionIcon variant="default" size={30} aria-label={t('log.download')}>
            <Icon name="download" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {downloadFormats.map((format) => (
          <Menu.Item key={format} component="a" href={downloadPath(taskId, format)} download>
            {t(`log.as.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
