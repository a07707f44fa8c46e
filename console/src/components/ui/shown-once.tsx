import { Button, Checkbox, Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './dialog.module.css';
import { Notice } from './states';

interface ShownOnceProps {
  open: boolean;
  size: ModalProps['size'];
  title: string;
  /** Says that it cannot be seen again. */
  warning: string;
  /** Beside the box with which somebody says that it is kept. */
  kept: string;
  done: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a secret that cannot be seen again: a slip of the hand does not close it. */
export function ShownOnce(props: ShownOnceProps) {
  const [kept, setKept] = useState(false);
  const close = () => {
    setKept(false);
    props.onClose();
  };
  return (
    <Modal
      opened={props.open}
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={kept}
      withCloseButton={false}
      size={props.size}
      title={props.title}
    >
      <div className={classes.stack}>
        <Notice tone="retry">{props.warning}</Notice>
        {props.children}
        <Checkbox
          label={props.kept}
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button onClick={close} disabled={!kept}>
            {props.done}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}
