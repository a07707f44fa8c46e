import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import classes from '@/components/ui/dialog.module.css';
import { Notice } from '@/components/ui/states';
import own from './apps.module.css';
import { exampleCommand } from './commands';

export interface NewKey {
  app: string;
  group: string;
  url: string;
  key: string;
}

/** Shows a new key, once, with the command that starts a worker with it. */
export function KeyDialog({ made, onClose }: { made: NewKey | null; onClose: () => void }) {
  const { t } = useTranslation('apps');
  const [kept, setKept] = useState(false);
  const close = () => {
    setKept(false);
    onClose();
  };
  return (
    <Modal
      opened={made !== null}
      onClose={close}
      // The key cannot be seen again: it is not closed by a slip of the hand.
      closeOnClickOutside={false}
      closeOnEscape={kept}
      withCloseButton={false}
      size="xl"
      title={made ? t('key.title', { app: made.app }) : ''}
    >
      {made ? (
        <div className={classes.stack}>
          <Notice tone="retry">{t('key.once')}</Notice>
          <div>
            <h3 className={own.label}>{t('key.key')}</h3>
            <CodeBlock code={made.key} label={t('key.key')} />
          </div>
          <div>
            <h3 className={own.label}>{t('key.command')}</h3>
            <CodeBlock code={exampleCommand(made)} label={t('key.command')} />
          </div>
          <Checkbox
            label={t('key.kept')}
            checked={kept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button onClick={close} disabled={!kept}>
              {t('key.done')}
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  );
}
