import { ActionIcon, Drawer, Tooltip, UnstyledButton } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { switchLocale } from '@/i18n/i18n';
import { hasOwnLocale, toLocale } from '@/i18n/locale';
import { useViewer } from '@/session/context';
import { AccountMenu } from './account-menu';
import { AlertCount } from './alert-count';
import { FailedCount } from './failed-count';
import { useHotkeys } from './hotkeys';
import { KeysDialog } from './keys-dialog';
import { LiveIndicator } from './live-indicator';
import { Mark } from './mark';
import { isHere, type NavItem, useNavItems } from './nav';
import { Palette } from './palette';
import { TimeViewPicker } from './preferences';
import classes from './shell.module.css';

/** The frame around every page of someone signed in: menu, header, keys. */
export function Shell() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation();
  const [menu, setMenu] = useState(false);
  const [keys, setKeys] = useState(false);
  const [palette, setPalette] = useState(false);
  useAccountLocale();
  useHotkeys({ onHelp: () => setKeys(true), onPalette: () => setPalette(true) });

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <aside className={classes.side}>
        <Link to="/" className={classes.brand}>
          <Mark />
          {t('product')}
        </Link>
        <Menu />
      </aside>
      <header className={classes.header}>
        <ActionIcon
          className={classes.burger}
          aria-label={tc('actions.openMenu')}
          onClick={() => setMenu(true)}
        >
          <Icon name="menu" />
        </ActionIcon>
        <UnstyledButton
          className={classes.jump}
          aria-label={t('palette.title')}
          aria-keyshortcuts="Control+K"
          onClick={() => setPalette(true)}
        >
          <Icon name="search" size={14} />
          <span>{t('palette.title')}</span>
          <kbd>Ctrl K</kbd>
        </UnstyledButton>
        <div className={classes.tools}>
          <LiveIndicator />
          <div className={classes.wideOnly}>
            <TimeViewPicker />
          </div>
          <Tooltip label={t('keys.button')}>
            <ActionIcon
              className={classes.wideOnly}
              aria-label={t('keys.button')}
              onClick={() => setKeys(true)}
            >
              <Icon name="keyboard" />
            </ActionIcon>
          </Tooltip>
          <AccountMenu />
        </div>
      </header>
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Drawer
        opened={menu}
        onClose={() => setMenu(false)}
        size={264}
        title={t('product')}
        closeButtonProps={{ 'aria-label': tc('actions.close') }}
      >
        <Menu onGo={() => setMenu(false)} />
      </Drawer>
      <KeysDialog opened={keys} onClose={() => setKeys(false)} />
      <Palette opened={palette} onClose={() => setPalette(false)} />
    </div>
  );
}

// The account's language holds where this browser has none of its own.
function useAccountLocale(): void {
  const { i18n } = useTranslation();
  const chosen = toLocale(useViewer()?.locale);
  useEffect(() => {
    if (chosen && !hasOwnLocale() && i18n.language !== chosen) void switchLocale(i18n, chosen);
  }, [chosen, i18n]);
}

function Menu({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation('shell');
  const items = useNavItems();
  const heading = useId();
  const administration = items.filter((item) => item.administration);
  return (
    <nav aria-label={t('nav.label')} className={classes.nav}>
      {items
        .filter((item) => !item.administration)
        .map((item) => (
          <MenuEntry key={item.label} item={item} onGo={onGo} />
        ))}
      {administration.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups links
        <div role="group" aria-labelledby={heading} className={classes.navGroup}>
          <div id={heading} className={classes.navHeading}>
            {t('nav.administration')}
          </div>
          {administration.map((item) => (
            <MenuEntry key={item.label} item={item} onGo={onGo} />
          ))}
        </div>
      ) : null}
    </nav>
  );
}

function MenuEntry({ item, onGo }: { item: NavItem; onGo: (() => void) | undefined }) {
  const { t } = useTranslation('shell');
  const location = useRouterState({ select: (state) => state.location });
  const here = isHere(item, location);
  return (
    <Link
      to={item.to}
      search={item.search ?? {}}
      className={classes.navItem}
      data-here={here || undefined}
      aria-current={here ? 'page' : undefined}
      // Two entries share an address: the router's own idea of "here" is only used where it is exact.
      activeOptions={{ exact: true, includeSearch: true }}
      onClick={onGo}
    >
      <Icon name={item.icon} />
      {t(`nav.${item.label}`)}
      {item.count === 'failedQueue' ? <FailedCount /> : null}
      {item.count === 'alerts' ? <AlertCount /> : null}
    </Link>
  );
}
