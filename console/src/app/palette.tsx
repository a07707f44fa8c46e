import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Icon, type IconName } from '@/components/ui/icon';
import { graphql } from '@/graphql/generated';
import { useNavItems } from './nav';
import classes from './palette.module.css';

const PaletteJobsQuery = graphql(`
  query PaletteJobs($search: String!) {
    jobs(first: 8, filter: { search: $search }) {
      nodes {
        id
        name
        app {
          id
          name
        }
      }
    }
  }
`);

interface Entry {
  id: string;
  icon: IconName;
  text: string;
  note: string;
  go: () => void;
}

/** Jumps to a page or, by its name, to a job; opened by Ctrl K. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered={false}
      padding={0}
      transitionProps={{ duration: 80 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={t('palette.title')}>
        <Modal.Body>
          <PaletteBody onDone={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('shell');
  const list = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { entries, searching } = useEntries(text.trim());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : entries.length - 1;
      setActive((active + step) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[active]);
    }
  };
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onDone();
    entry.go();
  };

  return (
    <div className={classes.palette}>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        leftSection={<Icon name="search" />}
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries[active] ? `${list}-${active}` : undefined}
        placeholder={t('palette.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={list} aria-label={t('palette.title')} className={classes.list}>
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field; aria-activedescendant names the option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={entry.id}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === active}
            className={classes.entry}
            onMouseMove={() => setActive(i)}
            onClick={() => choose(entry)}
          >
            <Icon name={entry.icon} />
            <span>{entry.text}</span>
            <span className={classes.note}>{entry.note}</span>
          </div>
        ))}
      </div>
      <p className={classes.foot} role="status">
        {searching ? t('palette.searching') : entries.length === 0 ? t('palette.nothing') : ''}
      </p>
    </div>
  );
}

function useEntries(text: string): { entries: Entry[]; searching: boolean } {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const navItems = useNavItems();
  const [search] = useDebouncedValue(text, 180);
  const [result] = useQuery({
    query: PaletteJobsQuery,
    variables: { search },
    pause: search === '',
  });
  const pages = navItems
    .map((item) => ({ item, label: t(`nav.${item.label}`) }))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(
      ({ item, label }): Entry => ({
        id: item.label,
        icon: item.icon,
        text: label,
        note: `g ${item.key}`,
        go: () => void navigate({ to: item.to, search: item.search ?? {} }),
      }),
    );
  const jobs = text === '' ? [] : (result.data?.jobs.nodes ?? []);
  const found = jobs.map(
    (job): Entry => ({
      id: job.id,
      icon: 'jobs',
      text: job.name,
      note: job.app.name,
      go: () => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } }),
    }),
  );
  return { entries: [...pages, ...found], searching: text !== '' && result.fetching };
}
