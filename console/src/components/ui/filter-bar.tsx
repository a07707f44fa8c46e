import { Button, CloseButton, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './filter-bar.module.css';
import { Icon } from './icon';

interface FilterBarProps {
  /** Text in the URL; undefined when the list has no search. */
  search?: string | undefined;
  onSearch?: (text: string | undefined) => void;
  searchLabel?: string;
  /** How many filters are set; the button to reset them shows when there are any. */
  active: number;
  onReset: () => void;
  /** Selects and segmented controls; their values live in the URL too. */
  children?: ReactNode;
}

/** The filters above a list. Their state is the URL: back, reload and a sent link give the same list. */
export function FilterBar(props: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <search className={classes.bar} aria-label={t('filter.label')}>
      {props.onSearch ? (
        <SearchField
          value={props.search ?? ''}
          label={props.searchLabel ?? t('filter.search')}
          onChange={(text) => props.onSearch?.(text || undefined)}
        />
      ) : null}
      {props.children}
      {props.active > 0 ? (
        <Button variant="subtle" color="gray" onClick={props.onReset}>
          {t('actions.reset')}
        </Button>
      ) : null}
    </search>
  );
}

/** A filter that has no field of its own, because a link set it: says what it is, and can be taken off. */
export function FilterChip(props: { label: string; value: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <span className={classes.chip}>
      <span className={classes.chipText}>
        <span>{props.label}: </span>
        {props.value}
      </span>
      <CloseButton
        size="xs"
        aria-label={t('filter.remove', { name: props.label })}
        onClick={props.onRemove}
      />
    </span>
  );
}

// Typing is local and reaches the URL when it pauses. A change of the URL from elsewhere
// (back button) wins over the text; a pending write dies with the page, so that a slow
// list cannot pull people back from where they went.
function SearchField(props: { value: string; label: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(props.value);
  const [known, setKnown] = useState(props.value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const commit = useEffectEvent((value: string) => {
    setKnown(value);
    props.onChange(value);
  });

  if (known !== props.value) {
    setKnown(props.value);
    setText(props.value);
  }

  useEffect(() => {
    if (text === known) return;
    const id = setTimeout(() => commit(text.trim()), 300);
    timer.current = id;
    return () => clearTimeout(id);
  }, [text, known]);

  return (
    <TextInput
      className={classes.search}
      type="search"
      data-bf-search=""
      aria-label={props.label}
      placeholder={props.label}
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        text ? (
          <CloseButton size="xs" aria-label={t('actions.reset')} onClick={() => setText('')} />
        ) : null
      }
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          if (text) setText('');
          else event.currentTarget.blur();
        }
      }}
    />
  );
}
