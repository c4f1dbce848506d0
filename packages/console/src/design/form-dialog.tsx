import type { FormEvent, ReactNode } from 'react';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './states.tsx';

interface FormDialogProps {
  label: string;
  /** By default, the label. */
  heading?: ReactNode;
  /** What the button does, as in "Revoke". */
  verb: string;
  /** The same while it is being done. */
  pending: string;
  /** The command that does the same. */
  command?: string | undefined;
  isDangerous?: boolean;
  isReady?: boolean;
  isPending: boolean;
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with fields, and with buttons that submit or cancel. */
export function FormDialog(props: FormDialogProps) {
  const { label, heading = label, verb, pending, command, isDangerous = false, isReady = true } = props;
  const { isPending, error, onSubmit, onClose } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  return (
    <Dialog label={label} onClose={onClose}>
      <form className="body" onSubmit={submit} autoComplete="off">
        <h2>{heading}</h2>
        {props.children}
        {error === null ? null : <ErrorNotice error={error} />}
        {command === undefined ? null : <Command>{command}</Command>}
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
