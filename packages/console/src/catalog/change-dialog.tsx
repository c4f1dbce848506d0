import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { BreakGlassField, useIsProtected } from './break-glass.tsx';
import { refreshCatalog } from './queries.ts';

interface ChangeDialogProps {
  env: string;
  /** What is done, as in "Roll back". */
  verb: string;
  /** The same while it is being done. */
  pending: string;
  /** The full name of the table. */
  table: string;
  command: string;
  /** Returns what was done. */
  change: (options: { breakGlass: string | undefined }) => Promise<string>;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms a change of a table; in a protected environment, it asks for the reason. */
export function ChangeDialog({ env, verb, pending, table, command, change, onClose, children }: ChangeDialogProps) {
  const [reason, setReason] = useState('');
  const isProtected = useIsProtected(env);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => change({ breakGlass: isProtected ? reason : undefined }),
    onSuccess: (done) => {
      notify(done);
      onClose();
      return refreshCatalog(env);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <Dialog label={`${verb} ${table}`} onClose={onClose}>
      <form className="body" onSubmit={submit}>
        <h2>
          {verb} <Name>{table}</Name>
        </h2>
        {children}
        {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
        {error === null ? null : <ErrorNotice error={error} />}
        <Command>{command}</Command>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
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
