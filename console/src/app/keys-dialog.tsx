import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './keys-dialog.module.css';
import { useNavItems } from './nav';

/** All keys of the console; opened by ?. */
export function KeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation();
  const navItems = useNavItems();
  const everywhere: [string[], string][] = [
    [['?'], t('keys.help')],
    [['Ctrl', 'K'], t('keys.palette')],
    [['/'], t('keys.search')],
    ...navItems.map((item): [string[], string] => [
      ['g', item.key],
      t('keys.go', { page: t(`nav.${item.label}`) }),
    ]),
  ];
  const table: [string[], string][] = [
    [['j'], t('keys.next')],
    [['k'], t('keys.previous')],
    [['Enter'], t('keys.open')],
    [['x'], t('keys.select')],
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      <KeyList title={t('keys.groupGlobal')} rows={everywhere} />
      <KeyList title={t('keys.groupTable')} rows={table} />
    </Modal>
  );
}

function KeyList({ title, rows }: { title: string; rows: [string[], string][] }) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
