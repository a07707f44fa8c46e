import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon';

/** Copies a text. Works on plain http too, where the clipboard API is missing. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [done]);
  const name = done ? t('actions.copied') : (label ?? t('actions.copy'));
  return (
    <Tooltip label={name}>
      <ActionIcon
        size={24}
        aria-label={name}
        onClick={() => {
          void copyText(text).then(setDone);
        }}
      >
        <Icon name={done ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Copies a text and answers whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused by the browser: the old way below may still work.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, focus may not leave it: put the helper there.
  const home = document.activeElement?.closest('[role=dialog]') ?? document.body;
  const focused = document.activeElement;
  home.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
