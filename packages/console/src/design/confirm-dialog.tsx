import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Name } from './name.tsx';
import { ErrorNotice } from './states.tsx';
import { notify } from './toasts.tsx';

interface ConfirmDialogProps {
  /** What is done, as in "Roll back". */
  verb: string;
  /** The same while it is being done. */
  pending: string;
  /** The name of the object. */
  object: string;
  command: string;
  /** Returns what was done. */
  change: () => Promise<string>;
  /** Shows the change on the page. */
  onDone?: () => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms a change, shows the command that does the same, and reports the result. */
export function ConfirmDialog({ verb, pending, object, command, change, ...props }: ConfirmDialogProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: change,
    onSuccess: (done) => {
      notify(done);
      props.onClose();
      return props.onDone?.();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <Dialog label={`${verb} ${object}`} onClose={props.onClose}>
      <form className="body" onSubmit={submit}>
        <h2>
          {verb} <Name>{object}</Name>
        </h2>
        {props.children}
        {error === null ? null : <ErrorNotice error={error} />}
        <Command>{command}</Command>
        <div className="actions">
          <button type="button" className="button" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isPending}>
            {isPending ? `${pending} …` : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
