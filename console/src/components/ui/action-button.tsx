import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import type { Role } from '@/graphql/generated/enums';
import { useRoleReason } from '@/session/role';
import { Icon, type IconName } from './icon';

interface ActionProps {
  atLeast: Role;
  onClick: MouseEventHandler<HTMLButtonElement>;
  icon?: IconName;
  busy?: boolean;
  /** Why it cannot be done now, whoever asks; null when it can. */
  reason?: string | null;
}

/** A button for a deed: off, with the reason, when the viewer's role or the state of things forbids it. */
export function ActionButton({
  atLeast,
  onClick,
  icon,
  busy,
  reason,
  primary = false,
  children,
}: ActionProps & { primary?: boolean; children: ReactNode }) {
  const why = useRoleReason(atLeast) ?? reason ?? null;
  return (
    <Tooltip label={why} disabled={!why} maw={320}>
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={icon ? <Icon name={icon} size={14} /> : undefined}
        loading={busy === true}
        // Not `disabled`: that would hide the reason from keyboard and screen reader.
        data-disabled={why ? true : undefined}
        aria-disabled={why ? true : undefined}
        aria-description={why ?? undefined}
        onClick={(event) => (why ? event.preventDefault() : onClick(event))}
      >
        {children}
      </Button>
    </Tooltip>
  );
}

/** The same as an icon only, for rows of a table. */
export function ActionIconButton({
  atLeast,
  onClick,
  icon,
  busy,
  reason,
  label,
}: ActionProps & { icon: IconName; label: string }) {
  const why = useRoleReason(atLeast) ?? reason ?? null;
  return (
    <Tooltip label={why ?? label} maw={320}>
      <ActionIcon
        aria-label={label}
        loading={busy === true}
        data-disabled={why ? true : undefined}
        aria-disabled={why ? true : undefined}
        aria-description={why ?? undefined}
        onClick={(event) => (why ? event.preventDefault() : onClick(event))}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}
