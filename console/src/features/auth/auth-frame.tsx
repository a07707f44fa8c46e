import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Mark } from '@/app/mark';
import { LanguagePicker } from '@/app/preferences';
import classes from './auth.module.css';

/** The page around sign-in and set-up: the mark, one form, the language. */
export function AuthFrame({
  title,
  lead,
  wide = false,
  children,
}: {
  title: string;
  lead?: string | undefined;
  /** There is more to show than a few fields. */
  wide?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('shell');
  const product = t('product');
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <main className={classes.frame}>
      <div className={classes.card} data-wide={wide || undefined}>
        <div className={classes.brand}>
          <Mark size={28} />
          {product}
        </div>
        <h1>{title}</h1>
        {lead ? <p className={classes.lead}>{lead}</p> : null}
        {children}
      </div>
      <div className={classes.language}>
        <LanguagePicker label={false} />
      </div>
    </main>
  );
}
