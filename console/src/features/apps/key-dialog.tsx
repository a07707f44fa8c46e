import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import { ShownOnce } from '@/components/ui/shown-once';
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
  return (
    <ShownOnce
      open={made !== null}
      size="xl"
      title={made ? t('key.title', { app: made.app }) : ''}
      warning={t('key.once')}
      kept={t('key.kept')}
      done={t('key.done')}
      onClose={onClose}
    >
      {made ? (
        <>
          <div>
            <h3 className={own.label}>{t('key.key')}</h3>
            <CodeBlock code={made.key} label={t('key.key')} />
          </div>
          <div>
            <h3 className={own.label}>{t('key.command')}</h3>
            <CodeBlock code={exampleCommand(made)} label={t('key.command')} />
          </div>
        </>
      ) : null}
    </ShownOnce>
  );
}
