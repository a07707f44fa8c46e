import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { ErrorLine, Notice } from '@/components/ui/states';
import classes from './editor.module.css';
import { FireTimes } from './fire-times';
import type { JobForm } from './form';
import { errorPosition, type Preview, type PreviewState } from './use-preview';

/** What the trigger would do: in words, its dialect, the next fires, warnings, or where it is wrong. */
export function PreviewPanel({ form, state }: { form: JobForm; state: PreviewState }) {
  const { t } = useTranslation('editor');
  return (
    <Panel title={t('preview.title')}>
      <div className={classes.preview} data-bf-again={state.busy} aria-live="polite">
        {state.error ? <ErrorLine error={state.error} /> : null}
        {state.preview ? (
          <Answer form={form} preview={state.preview} />
        ) : state.error ? null : (
          <p className={classes.quiet}>
            {t(state.busy ? 'preview.asking' : `preview.hint.${form.kind}`)}
          </p>
        )}
      </div>
    </Panel>
  );
}

function Answer({ form, preview }: { form: JobForm; preview: Preview }) {
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const zone = form.kind === 'CRON' ? form.zone : null;
  if (preview.error) {
    return (
      <>
        <Notice tone="fail">{preview.error.message}</Notice>
        {form.kind === 'CRON' ? (
          <Marked text={form.expression} at={errorPosition(preview.error.message)} />
        ) : null}
      </>
    );
  }
  return (
    <>
      <p className={classes.words}>{preview.description}</p>
      {preview.dialect === 'unix' || preview.dialect === 'quartz' ? (
        <p className={classes.quiet}>{tj(`dialect.${preview.dialect}`)}</p>
      ) : null}
      {preview.warnings.map((warning) => (
        <Notice key={warning} tone="retry">
          {warning}
        </Notice>
      ))}
      {form.kind === 'MANUAL' || form.kind === 'DEPENDENCY' ? null : preview.fires.length === 0 ? (
        <p className={classes.quiet}>{t('preview.never')}</p>
      ) : (
        <FireTimes fires={preview.fires.slice(0, 8)} zone={zone} />
      )}
    </>
  );
}

/** The expression with the wrong place marked; at its end, an empty place is marked. */
function Marked({ text, at }: { text: string; at: number | null }) {
  if (at === null) return null;
  // Positions count characters, JavaScript's indexes count UTF-16 units.
  const characters = [...text];
  return (
    <pre className={classes.marked} aria-hidden="true">
      {characters.slice(0, at).join('')}
      <mark>{characters[at] ?? ' '}</mark>
      {characters.slice(at + 1).join('')}
    </pre>
  );
}
