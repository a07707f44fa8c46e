import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import classes from '@/components/ui/dialog.module.css';
import { Notice } from '@/components/ui/states';

export interface NewLink {
  user: string;
  link: string;
}

/** Shows a one-time link, once. */
export function LinkDialog({ made, onClose }: { made: NewLink | null; onClose: () => void }) {
  const { t } = useTranslation('users');
  const [kept, setKept] = useState(false);
  const close = () => {
    setKept(false);
    onClose();
  };
  return (
    <Modal
      opened={made !== null}
      onClose={close}
      // The link cannot be seen again: it is not closed by a slip of the hand.
      closeOnClickOutside={false}
      closeOnEscape={kept}
      withCloseButton={false}
      size="lg"
      title={made ? t('link.title', { name: made.user }) : ''}
    >
      {made ? (
        <div className={classes.stack}>
          <Notice tone="retry">{t('link.once')}</Notice>
          <div className={classes.text}>{t('link.text', { name: made.user })}</div>
          <CodeBlock code={made.link} label={t('link.link')} />
          <Checkbox
            label={t('link.kept')}
            checked={kept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button onClick={close} disabled={!kept}>
              {t('link.done')}
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  );
}
