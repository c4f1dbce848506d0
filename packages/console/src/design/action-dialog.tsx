import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { Name } from './name.tsx';
import { notify } from './toasts.tsx';

interface ActionDialogProps {
  /** What is done, as in "Revoke". */
  verb: string;
  /** The same while it is being done. */
  pending: string;
  /** What it is done to; null if the verb says it. */
  object: string | null;
  command: string;
  isDangerous?: boolean;
  isReady?: boolean;
  /** Returns what was done. */
  action: () => Promise<string>;
  /** Loads again what the action has changed. */
  onDone: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

/** Confirms an action, with the command that does the same. */
export function ActionDialog({ object, action, onDone, ...dialog }: ActionDialogProps) {
  const { verb, onClose } = dialog;
  const { mutate, error, isPending } = useMutation({
    mutationFn: action,
    onSuccess: (done) => {
      notify(done);
      onClose();
      return onDone();
    },
  });
  return (
    <FormDialog
      {...dialog}
      label={object === null ? verb : `${verb} ${object}`}
      heading={
        <>
          {verb} {object === null ? null : <Name>{object}</Name>}
        </>
      }
      isPending={isPending}
      error={error}
      onSubmit={mutate}
    />
  );
}
