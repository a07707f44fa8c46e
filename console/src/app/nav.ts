import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '@/components/ui/icon';
import type shell from '@/i18n/locales/en/shell.json';

export interface NavItem {
  to: NonNullable<LinkProps['to']>;
  label: keyof typeof shell.nav;
  icon: IconName;
  /** Second key of the jump: g then this. */
  key: string;
  /** Only this address itself is "here", not what lies below it. */
  exact?: boolean;
}

/** The main menu. A page that is not built is not in it. */
export const navItems: readonly NavItem[] = [
  { to: '/', label: 'overview', icon: 'overview', key: 'o', exact: true },
  { to: '/jobs', label: 'jobs', icon: 'jobs', key: 'j' },
];
