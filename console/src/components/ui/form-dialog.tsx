import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';
import { Notice } from './states';

interface FormDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: ModalProps['size'];
  /** The form, with its state: it is made anew each time the dialog opens. */
  children: ReactNode;
}

/** The window of a dialog that asks for something; a `FormBody` stands in it. */
export function FormDialog({ opened, onClose, title, size, children }: FormDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(size !== undefined && { size })}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {children}
    </Modal>
  );
}

interface FormBodyProps {
  /** Sentences that belong to no field; they stand above the fields. */
  problems: readonly string[];
  children: ReactNode;
  /** The word on the button: the deed. "Save" when absent. */
  submit?: string;
  /** What it does cannot be taken back. */
  danger?: boolean;
  busy: boolean;
  /** Something is missing or wrong: nothing can be sent yet. */
  disabled?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
}

/** Refusals, fields, and the two buttons. The server checks, in the person's language; the browser does not. */
export function FormBody(props: FormBodyProps) {
  const { t } = useTranslation();
  return (
    <form
      className={classes.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React passes events on to the parents in the tree, through portals: to a form around us too.
        event.stopPropagation();
        if (!props.disabled) props.onSubmit();
      }}
    >
      {props.problems.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
      {props.children}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={props.onCancel}>
          {t('actions.cancel')}
        </Button>
        <Button
          type="submit"
          className={props.danger ? classes.danger : undefined}
          loading={props.busy}
          disabled={props.disabled === true}
        >
          {props.submit ?? t('actions.save')}
        </Button>
      </Group>
    </form>
  );
}
