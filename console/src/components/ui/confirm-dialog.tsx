import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, in full. */
  children: ReactNode;
  /** The button's word: the deed, not "OK". */
  confirm: string;
  danger?: boolean;
  /** For what cannot be taken back: this text must be typed first. */
  typeToConfirm?: { label: string; text: string };
  /** Wider for what shows tables. */
  size?: 'md' | 'xl';
  busy?: boolean;
  /** Errors that keep the dialog open. */
  error?: string | null;
  /** The dialog stays open until the caller closes it, so that a refusal is seen. */
  onConfirm: () => void;
}

/** Asks before something that hurts. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const locked = props.typeToConfirm !== undefined && typed !== props.typeToConfirm.text;
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size={props.size ?? 'md'}
      onExitTransitionEnd={() => setTyped('')}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form
        className={classes.stack}
        onSubmit={(event) => {
          event.preventDefault();
          // React passes events on to the parents in the tree, through portals: to a form around us too.
          event.stopPropagation();
          if (!locked) props.onConfirm();
        }}
      >
        <div className={classes.text}>{props.children}</div>
        {props.typeToConfirm ? (
          <TextInput
            data-autofocus
            label={props.typeToConfirm.label}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
        {props.error ? (
          <p className={classes.error} role="alert">
            {props.error}
          </p>
        ) : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            type="submit"
            className={props.danger ? classes.danger : undefined}
            loading={props.busy === true}
            disabled={locked}
            data-autofocus={props.typeToConfirm ? undefined : true}
          >
            {props.confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
