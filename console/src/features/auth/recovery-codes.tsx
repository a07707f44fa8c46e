import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import { Notice } from '@/components/ui/states';

/** Recovery codes, shown once. They go away when the person says that they are kept. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('auth');
  const [kept, setKept] = useState(false);
  return (
    <>
      <Notice tone="retry">{t('recovery.once')}</Notice>
      <CodeBlock code={codes.join('\n')} label={t('recovery.codes')} />
      <Checkbox
        label={t('recovery.kept')}
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!kept}>
          {t('recovery.done')}
        </Button>
      </Group>
    </>
  );
}
