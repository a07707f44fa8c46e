import { ActionIcon, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon';
import classes from './pager.module.css';

/** Where a keyset page begins: after a cursor or before one; neither for the first page. */
export interface PageKey {
  after?: string | undefined;
  before?: string | undefined;
}

interface PagerProps {
  page: PageKey;
  info:
    | {
        hasNextPage: boolean;
        hasPreviousPage: boolean;
        startCursor?: string | null;
        endCursor?: string | null;
      }
    | undefined;
  shown: number;
  /** The server's estimate; null when it gives none. */
  total: number | null | undefined;
  /** The list can be read backwards (it takes last/before). Without it only "first" leads back. */
  backwards?: boolean;
  onPage: (page: PageKey) => void;
}

/** Keyset paging: next, previous and first. There are no page numbers, since counting is dear. */
export function Pager({ page, info, shown, total, backwards = false, onPage }: PagerProps) {
  const { t } = useTranslation();
  const first = !page.after && !page.before;
  if (first && !info?.hasNextPage && !info?.hasPreviousPage && total == null) return null;
  return (
    <nav className={classes.pager} aria-label={t('pager.label')}>
      <span>
        {total == null ? t('pager.shown', { count: shown }) : t('pager.total', { count: total })}
      </span>
      <span className={classes.buttons}>
        <Step label={t('pager.first')} icon="first" off={first} onClick={() => onPage({})} />
        {backwards ? (
          <Step
            label={t('pager.previous')}
            icon="chevronLeft"
            off={!info?.hasPreviousPage || !info.startCursor}
            onClick={() => onPage({ before: info?.startCursor ?? undefined })}
          />
        ) : null}
        <Step
          label={t('pager.next')}
          icon="chevronRight"
          off={!info?.hasNextPage || !info.endCursor}
          onClick={() => onPage({ after: info?.endCursor ?? undefined })}
        />
      </span>
    </nav>
  );
}

function Step(props: {
  label: string;
  icon: 'first' | 'chevronLeft' | 'chevronRight';
  off: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="default"
        aria-label={props.label}
        disabled={props.off}
        onClick={props.onClick}
      >
        <Icon name={props.icon} />
      </ActionIcon>
    </Tooltip>
  );
}
