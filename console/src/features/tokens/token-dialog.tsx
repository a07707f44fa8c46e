import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import classes from '@/components/ui/dialog.module.css';
import { Notice } from '@/components/ui/states';
import own from './tokens.module.css';

export interface NewToken {
  name: string;
  token: string;
}

/** Shows a new token, once, with a request that uses it. */
export function TokenDialog({ made, onClose }: { made: NewToken | null; onClose: () => void }) {
  const { t } = useTranslation('tokens');
  const [kept, setKept] = useState(false);
  const close = () => {
    setKept(false);
    onClose();
  };
  return (
    <Modal
      opened={made !== null}
      onClose={close}
      // The token cannot be seen again: it is not closed by a slip of the hand.
      closeOnClickOutside={false}
      closeOnEscape={kept}
      withCloseButton={false}
      size="xl"
      title={made ? t('shown.title', { name: made.name }) : ''}
    >
      {made ? (
        <div className={classes.stack}>
          <Notice tone="retry">{t('shown.once')}</Notice>
          <div>
            <h3 className={own.label}>{t('shown.token')}</h3>
            <CodeBlock code={made.token} label={t('shown.token')} />
          </div>
          <div>
            <h3 className={own.label}>{t('shown.use')}</h3>
            <CodeBlock code={example()} label={t('shown.use')} />
          </div>
          <Checkbox
            label={t('shown.kept')}
            checked={kept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button onClick={close} disabled={!kept}>
              {t('shown.done')}
            </Button>
          </Group>
        </div>
      ) : null}
    </Modal>
  );
}

// The token itself is left to the environment: a command's text ends up in histories.
function example(): string {
  return [
    `curl -s ${window.location.origin}/graphql \\`,
    `  -H "Authorization: Bearer $BELFRY_TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"query":"{ apps { name } }"}'`,
  ].join('\n');
}
