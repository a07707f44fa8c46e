import { Tooltip } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react';

interface SharedTipProps {
  /** What to say of the element that names itself by `data-tip`; null for nothing. */
  label: (tip: string) => ReactNode;
  children: ReactNode;
}

/**
 * One tooltip for all elements inside that carry `data-tip`, on hover and on focus. For pictures
 * with dozens of marks, where a tooltip each makes every keystroke on the page slow.
 */
export function SharedTip({ label, children }: SharedTipProps) {
  const [at, setAt] = useState<HTMLElement | null>(null);
  const show = (event: SyntheticEvent) =>
    setAt((event.target as Element).closest<HTMLElement>('[data-tip]'));
  const hide = () => setAt(null);
  const tip = at?.dataset.tip;
  const text = tip === undefined ? null : label(tip);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what the buttons inside do
    <div
      onMouseOver={show}
      onFocus={show}
      onMouseLeave={hide}
      onBlur={hide}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && hide()}
    >
      {children}
      {at && text !== null ? (
        <Tooltip opened target={at} maw={340} label={text} withinPortal={false} />
      ) : null}
    </div>
  );
}
