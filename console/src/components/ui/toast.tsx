import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon';
import classes from './toast.module.css';

interface Toast {
  id: number;
  kind: 'done' | 'fail';
  message: string;
  detail?: string | undefined;
}

interface Toaster {
  /** Says that something went through; goes away by itself. */
  done(message: string): void;
  /** Says what failed, in the server's words; stays until dismissed. */
  fail(message: string, detail?: string): void;
}

const ToastContext = createContext<Toaster | null>(null);
const showFor = 4_500;
const most = 4;

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(1);

  const dismiss = useCallback((id: number) => {
    setToasts((all) => all.filter((toast) => toast.id !== id));
  }, []);

  const toaster = useMemo<Toaster>(() => {
    const add = (toast: Omit<Toast, 'id'>) => {
      const id = nextId.current++;
      setToasts((all) => [...all.slice(1 - most), { ...toast, id }]);
      return id;
    };
    return {
      done: (message) => {
        const id = add({ kind: 'done', message });
        setTimeout(() => dismiss(id), showFor);
      },
      fail: (message, detail) => {
        add({ kind: 'fail', message, detail });
      },
    };
  }, [dismiss]);

  return (
    <ToastContext value={toaster}>
      {children}
      <section aria-label={t('toast.region')} aria-live="polite" className={classes.region}>
        {toasts.map((toast) => (
          <div
            key={toast.id}
            className={classes.toast}
            data-kind={toast.kind}
            role={toast.kind === 'fail' ? 'alert' : 'status'}
          >
            <Icon name={toast.kind === 'done' ? 'check' : 'failed'} />
            <div>
              <p>{toast.message}</p>
              {toast.detail ? <p className={classes.detail}>{toast.detail}</p> : null}
            </div>
            <button type="button" aria-label={t('toast.dismiss')} onClick={() => dismiss(toast.id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </section>
    </ToastContext>
  );
}

export function useToast(): Toaster {
  const toaster = useContext(ToastContext);
  if (!toaster) throw new Error('useToast outside ToastProvider');
  return toaster;
}
