import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './more-rows.module.css';

/** The first rows of a list that the server sends whole, and how to show more of them. */
export function useFirstRows<Row>(rows: readonly Row[] | undefined, step: number) {
  const [most, setMost] = useState(step);
  return {
    shown: rows?.slice(0, most),
    rest: Math.max(0, (rows?.length ?? 0) - most),
    step,
    onMore: () => setMost((old) => old + step),
  };
}

/** Below a list: how many rows are not shown, and a button for the next of them. */
export function MoreRows(props: { rest: number; step: number; onMore: () => void }) {
  const { t, i18n } = useTranslation();
  if (props.rest === 0) return null;
  const shown = new Intl.NumberFormat(i18n.language).format(props.rest);
  return (
    <div className={classes.more}>
      <span>{t('more.rest', { count: props.rest, shown })}</span>
      <Button variant="default" onClick={props.onMore}>
        {t('more.show', { count: Math.min(props.rest, props.step) })}
      </Button>
    </div>
  );
}
