import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import type { TaskState } from '@/graphql/generated/enums';
import { allowed, type Deed, deeds, usual } from './deeds';
import type { TasksSearch } from './search';
import classes from './tasks.module.css';

const icons: Record<Deed, IconName> = {
  retry: 'retrying',
  edit: 'edit',
  discard: 'trash',
  cancel: 'cancelled',
};

interface AllMatchingProps {
  search: TasksSearch;
  onDo: (deed: Deed) => void;
}

/** The menu of what can be done with all tasks that the filter matches, on this page and beyond. */
export function AllMatching({ search, onDo }: AllMatchingProps) {
  const { t } = useTranslation('tasks');
  const { t: tb } = useTranslation('bulk');
  const named = useStateNames();
  return (
    <Menu width={300} withinPortal={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevronDown" size={14} />}>
          {t('allMatching.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {deeds.map((deed) => {
          const misfits = search.states?.filter((state) => !allowed[deed].includes(state)) ?? [];
          const off = misfits.length > 0;
          const note = off
            ? t(`allMatching.misfit.${deed}`, { states: named(misfits) })
            : t('allMatching.of', { states: named(search.states ?? usual[deed]) });
          return (
            <Menu.Item
              key={deed}
              leftSection={<Icon name={icons[deed]} size={14} />}
              // Not `disabled`: the reason must be reachable by keyboard.
              aria-disabled={off || undefined}
              className={off ? classes.off : undefined}
              closeMenuOnClick={!off}
              onClick={() => (off ? undefined : onDo(deed))}
            >
              <span className={classes.entry}>
                <span>{tb(`deed.${deed}`)}</span>
                <small>{note}</small>
              </span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** States as a person lists them. */
function useStateNames(): (states: readonly TaskState[]) => string {
  const { t, i18n } = useTranslation('states');
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  return (states) => list.format(states.map((state) => t(`task.${state}`)));
}
