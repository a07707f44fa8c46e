import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import classes from '@/components/ui/dialog.module.css';
import { ShownOnce } from '@/components/ui/shown-once';

export interface NewLink {
  user: string;
  link: string;
}

/** Shows a one-time link, once. */
export function LinkDialog({ made, onClose }: { made: NewLink | null; onClose: () => void }) {
  const { t } = useTranslation('users');
  return (
    <ShownOnce
      open={made !== null}
      size="lg"
      title={made ? t('link.title', { name: made.user }) : ''}
      warning={t('link.once')}
      kept={t('link.kept')}
      done={t('link.done')}
      onClose={onClose}
    >
      {made ? (
        <>
          <div className={classes.text}>{t('link.text', { name: made.user })}</div>
          <CodeBlock code={made.link} label={t('link.link')} />
        </>
      ) : null}
    </ShownOnce>
  );
}
