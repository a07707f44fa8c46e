import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '@/components/ui/dialog.module.css';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { TimeText } from '@/components/ui/time-text';
import type { AuditRowFragment } from '@/graphql/generated/graphql';
import own from './audit.module.css';
import { changesOf } from './changes';
import { ObjectLink } from './object-link';
import { useWords } from './words';

/** One row of the trail in full: who, from where, and each field before and after. */
export function EntryDialog(props: { entry: AuditRowFragment | null; onClose: () => void }) {
  const { t } = useTranslation('audit');
  const { t: tc } = useTranslation();
  const words = useWords();
  const { entry, onClose } = props;
  return (
    <Modal
      opened={entry !== null}
      onClose={onClose}
      size="xl"
      title={entry ? words.action(entry.action) : ''}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      {entry ? (
        <div className={classes.stack}>
          <Facts>
            <Fact label={t('at')}>
              <TimeText at={entry.at} />
            </Fact>
            <Fact label={t('who')}>{entry.actor}</Fact>
            <Fact label={t('whoKind')}>{t(`actorKind.${entry.actorKind}`)}</Fact>
            <Fact label={t('object')}>
              <ObjectLink entry={entry} />
            </Fact>
            {entry.app ? <Fact label={t('app')}>{entry.app.name}</Fact> : null}
            {entry.address ? <Fact label={t('address')}>{entry.address}</Fact> : null}
            {entry.agent ? <Fact label={t('agent')}>{entry.agent}</Fact> : null}
            {entry.requestId ? <Fact label={t('request')}>{entry.requestId}</Fact> : null}
          </Facts>
          <Changes entry={entry} />
          {entry.detail ? (
            <div>
              <h3>{t('detail')}</h3>
              <JsonView value={entry.detail} />
            </div>
          ) : null}
        </div>
      ) : null}
    </Modal>
  );
}

function Changes({ entry }: { entry: AuditRowFragment }) {
  const { t } = useTranslation('audit');
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return null;
  return (
    <table className={own.changes} aria-label={t('changes')}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{before === null ? t('nothing') : <code className={own.was}>{before}</code>}</td>
            <td>{after === null ? t('nothing') : <code className={own.is}>{after}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
