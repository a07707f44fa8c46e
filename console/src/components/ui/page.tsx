import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page.module.css';

interface PageProps {
  /** Title of the page and of the browser tab. */
  title: string;
  /** Beside the title: state, counts. */
  badge?: ReactNode;
  /** Above the title: the way back. */
  crumbs?: ReactNode;
  /** One line under the title. */
  lead?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: header with title and actions, then the content. Sets the title of the tab. */
export function Page({ title, badge, crumbs, lead, actions, children }: PageProps) {
  const { t } = useTranslation('shell');
  const product = t('product');
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {crumbs ? <div className={classes.crumbs}>{crumbs}</div> : null}
          <div className={classes.title}>
            <h1>{title}</h1>
            {badge}
          </div>
          {lead ? <div className={classes.lead}>{lead}</div> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

/** A titled part of a page on a surface of its own. */
export function Panel({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Content reaches the edges: tables. */
  flush?: boolean;
}) {
  return (
    <section className={classes.panel} aria-label={title}>
      {title ? (
        <div className={classes.panelHead}>
          <h2>{title}</h2>
          {actions}
        </div>
      ) : null}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
