import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import type { Enrolment } from '@/session/session';
import classes from './auth.module.css';
import { QrCode } from './qr-code';

/** The secret of a second factor, to scan or to type. */
export function EnrolmentCode({ enrolment }: { enrolment: Enrolment }) {
  const { t } = useTranslation('auth');
  return (
    <div className={classes.enrolment}>
      <p>{t('enrol.scan')}</p>
      <QrCode rows={enrolment.qr} label={t('enrol.qr')} />
      <p>{t('enrol.type')}</p>
      <CodeBlock code={enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')} label={t('enrol.secret')} />
    </div>
  );
}
