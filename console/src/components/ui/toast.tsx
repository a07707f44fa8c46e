import { Link } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon';
import classes from './toast.module.css';

/** Where a message leads: the thing that was made. */
export interface ToastLink {
  text: string;
  /** An address of the console. */
  to: string;
}

interface Toast {
  id: number;
  kind: 'done' | 'fail';
  message: string;
  detail?: string | undefined;
  link?: ToastLink | undefined;
}

interface Toaster {
  /** Says that something went through; goes away by itself, later with a link, and not while one is at it. */
  done(message: string, link?: ToastLink): void;
  /** Says what failed, in the server's words; stays until dismissed. */
  fail(message: string, detail?: string): void;
}

const ToastContext = createContext<Toaster | null>(null);
const showFor = 4_500;
const showLinkFor = 12_000;
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
    };
    return {
      done: (message, link) => add({ kind: 'done', message, link }),
      fail: (message, detail) => add({ kind: 'fail', message, detail }),
    };
  }, []);

  return (
    <ToastContext value={toaster}>
      {children}
      <section aria-label={t('toast.region')} aria-live="polite" className={classes.region}>
        {toasts.map((toast) => (
          <Item key={toast.id} toast={toast} onGone={() => dismiss(toast.id)} />
        ))}
      </section>
    </ToastContext>
  );
}

function Item({ toast, onGone }: { toast: Toast; onGone: () => void }) {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  const gone = useEffectEvent(onGone);
  const { kind, link } = toast;
  useEffect(() => {
    if (kind === 'fail' || held) return;
    const timer = setTimeout(() => gone(), link ? showLinkFor : showFor);
    return () => clearTimeout(timer);
  }, [kind, link, held]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while one is at it
    <div
      className={classes.toast}
      data-kind={kind}
      role={kind === 'fail' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={kind === 'done' ? 'check' : 'failed'} />
      <div>
        <p>{toast.message}</p>
        {toast.detail ? <p className={classes.detail}>{toast.detail}</p> : null}
        {link ? (
          <Link to={link.to} onClick={onGone}>
            {link.text}
          </Link>
        ) : null}
      </div>
      <button type="button" aria-label={t('toast.dismiss')} onClick={onGone}>
        <Icon name="close" />
      </button>
    </div>
  );
}

export function useToast(): Toaster {
  const toaster = useContext(ToastContext);
  if (!toaster) throw new Error('useToast outside ToastProvider');
  return toaster;
}
