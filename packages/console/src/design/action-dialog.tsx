import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Name } from './name.tsx';
import { ErrorNotice } from './states.tsx';
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
export function ActionDialog(props: ActionDialogProps) {
  const { verb, pending, object, command, isDangerous = false, isReady = true, onClose } = props;
  const { mutate, error, isPending } = useMutation({
    mutationFn: props.action,
    onSuccess: (done) => {
      notify(done);
      onClose();
      return props.onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <Dialog label={object === null ? verb : `${verb} ${object}`} onClose={onClose}>
      <form className="body" onSubmit={submit}>
        <h2>
          {verb} {object === null ? null : <Name>{object}</Name>}
        </h2>
        {props.children}
        {error === null ? null : <ErrorNotice error={error} />}
        <Command>{command}</Command>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={isDangerous ? 'button danger' : 'button primary'}
            disabled={isPending || !isReady}
          >
            {isPending ? `${pending} …` : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
