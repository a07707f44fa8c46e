import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';
import { focusFirstError } from './first-error';
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
      // A click beside the window would lose what was typed.
      closeOnClickOutside={false}
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
  const root = useRef<HTMLFormElement>(null);
  const { busy } = props;
  const wasBusy = useRef(busy);
  useEffect(() => {
    // The answer is there and the form still stands: it was refused.
    if (wasBusy.current && !busy) focusFirstError(root.current);
    wasBusy.current = busy;
  }, [busy]);
  return (
    <form
      ref={root}
      className={classes.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React passes events on to the parents in the tree, through portals: to a form around us too.
        event.stopPropagation();
        if (!props.disabled) props.onSubmit();
      }}
    >
      <Problems sentences={props.problems} />
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

/** Refusals that belong to no field, read out when they come. */
export function Problems({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div role="alert" className={classes.problems}>
      {sentences.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
    </div>
  );
}
