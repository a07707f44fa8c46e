import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '@/components/ui/icon';
import { failedQueueSearch, isFailedQueue, type TasksSearch } from '@/features/tasks/search';
import type shell from '@/i18n/locales/en/shell.json';
import { isAdministrator, useViewer } from '@/session/context';

export interface NavItem {
  to: NonNullable<LinkProps['to']>;
  label: keyof typeof shell.nav;
  icon: IconName;
  /** Second key of the jump: g then this. */
  key: string;
  /** Only this address itself is "here", not what lies below it. */
  exact?: boolean;
  /** A part of the page that has an entry of its own. */
  search?: TasksSearch;
  /** What is counted beside the entry. */
  count?: 'failedQueue' | 'alerts';
  /** Stands under a heading of its own, and only for administrators: of all apps, or of some. */
  administration?: 'everywhere' | 'somewhere';
}

/** The main menu. A page that is not built is not in it. */
const navItems: readonly NavItem[] = [
  { to: '/', label: 'overview', icon: 'overview', key: 'o', exact: true },
  { to: '/jobs', label: 'jobs', icon: 'jobs', key: 'j' },
  { to: '/tasks', label: 'tasks', icon: 'tasks', key: 't' },
  {
    to: '/tasks',
    label: 'failed',
    icon: 'failedQueue',
    key: 'f',
    search: failedQueueSearch,
    count: 'failedQueue',
  },
  { to: '/alerts', label: 'alerts', icon: 'alerts', key: 'l', count: 'alerts' },
  { to: '/reports', label: 'reports', icon: 'report', key: 'r' },
  { to: '/calendars', label: 'calendars', icon: 'calendars', key: 'c' },
  { to: '/nodes', label: 'nodes', icon: 'nodes', key: 'n' },
  { to: '/servers', label: 'servers', icon: 'servers', key: 's' },
  { to: '/apps', label: 'apps', icon: 'apps', key: 'a' },
  { to: '/users', label: 'users', icon: 'user', key: 'u', administration: 'everywhere' },
  { to: '/tokens', label: 'tokens', icon: 'key', key: 'k', administration: 'everywhere' },
  { to: '/security', label: 'security', icon: 'shield', key: 'y', administration: 'everywhere' },
  { to: '/audit', label: 'audit', icon: 'report', key: 'h', administration: 'somewhere' },
];

/** The entries of the menu that the viewer may use. */
export function useNavItems(): readonly NavItem[] {
  const viewer = useViewer();
  return navItems.filter(
    ({ administration }) => !administration || isAdministrator(viewer, administration),
  );
}

/** Whether an entry is the page that is open: of two with one address, the one whose search fits. */
export function isHere(item: NavItem, at: { pathname: string; search: TasksSearch }): boolean {
  if (item.exact || item.to === '/') return at.pathname === item.to;
  if (at.pathname !== item.to && !at.pathname.startsWith(`${item.to}/`)) return false;
  const failed = at.pathname === '/tasks' && isFailedQueue(at.search);
  return item.to !== '/tasks' || failed === (item.search !== undefined);
}
