import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { moveFocus } from '@/components/ui/data-table';
import { useNavItems } from './nav';

interface HotkeyActions {
  onHelp: () => void;
  onPalette: () => void;
}

const sequenceMs = 1_200;

/** Listens for the console's keys: g + letter goes to a page, / searches, j and k move in a table, ? helps. */
export function useHotkeys(actions: HotkeyActions): void {
  const navigate = useNavigate();
  const navItems = useNavItems();
  const prefix = useRef<number>(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      actions.onPalette();
      return;
    }
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('[role=dialog]')) return;
    const waiting = event.timeStamp - prefix.current < sequenceMs;
    prefix.current = Number.NEGATIVE_INFINITY;
    if (waiting) {
      const item = navItems.find((i) => i.key === event.key);
      if (item) {
        event.preventDefault();
        void navigate({ to: item.to, search: item.search ?? {} });
      }
      return;
    }
    const rows = () => document.querySelector('[data-bf-rows]');
    switch (event.key) {
      case 'g':
        prefix.current = event.timeStamp;
        break;
      case '/': {
        const field = document.querySelector<HTMLInputElement>('[data-bf-search]');
        if (field) {
          event.preventDefault();
          field.focus();
          field.select();
        }
        break;
      }
      case 'j':
        moveFocus(rows(), 1);
        break;
      case 'k':
        moveFocus(rows(), -1);
        break;
      case '?':
        event.preventDefault();
        actions.onHelp();
        break;
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
