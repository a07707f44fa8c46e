import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { fullTime } from '@/time/format';
import { useZone } from '@/time/view';
import classes from './why.module.css';

interface WhyLinkProps {
  jobId: string;
  at: string;
  zone: string | null;
  /** Only an icon, for tables with little room. */
  small?: boolean;
}

/** Asks why the job did not run at an instant, on its own page. */
export function WhyLink({ jobId, at, zone, small = false }: WhyLinkProps) {
  const { t } = useTranslation('why');
  const shown = useZone(zone);
  const link = (
    <Link
      to="/jobs/$jobId"
      params={{ jobId }}
      search={{ why: at }}
      resetScroll={false}
      className={small ? classes.small : undefined}
      aria-label={t('rowOf', { at: fullTime(new Date(at), shown) })}
    >
      {small ? <Icon name="question" size={14} /> : t('row')}
    </Link>
  );
  return small ? <Tooltip label={t('row')}>{link}</Tooltip> : link;
}
