import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import own from './bulk.module.css';
import type { Refusal } from './use-bulk';

interface RefusalListProps {
  refusals: readonly Refusal[];
  /** How many there are in all. */
  count: number;
  /** The operation, whose page shows more of them. */
  id: string;
}

/** Names those that were left as they are, and why; in a dialog. */
export function RefusalList({ refusals, count, id }: RefusalListProps) {
  const { t, i18n } = useTranslation('bulk');
  if (count === 0) return null;
  const title = t('refused', { count, shown: new Intl.NumberFormat(i18n.language).format(count) });
  return (
    <div>
      <p className={own.refusedTitle} role="alert">
        {title}
      </p>
      <ul className={own.refused} aria-label={title}>
        {refusals.map(({ taskId, task, message }) => (
          <li key={taskId}>
            {task ? (
              <Link to="/tasks/$taskId" params={{ taskId }} title={taskId}>
                {task.job.name}
              </Link>
            ) : (
              <code>{taskId}</code>
            )}
            <span>{message}</span>
          </li>
        ))}
      </ul>
      {count > refusals.length && refusals.length > 0 ? (
        <Link to="/bulk/$bulkId" params={{ bulkId: id }}>
          {t('allRefused')}
        </Link>
      ) : null}
    </div>
  );
}
