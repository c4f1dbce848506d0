import { SvcError } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { svc } from '../service/client.ts';

interface ConfirmedDialogProps {
  title: string;
  verb: string;
  pending: string;
  command?: string;
  isDangerous?: boolean;
  action: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

/** Confirms a change of second factors. If the sign-in was too long ago, it requests the password first. */
export function ConfirmedDialog(props: ConfirmedDialogProps) {
  const { title, verb, pending, command, isDangerous = false, onClose } = props;
  const [password, setPassword] = useState('');
  const [needsPassword, setNeedsPassword] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (needsPassword) await svc.access.confirmPassword(password);
      await props.action();
    },
    onError: (failure) => {
      if (failure instanceof SvcError && failure.code === 'confirmation-required') setNeedsPassword(true);
    },
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <Dialog label={title} onClose={onClose}>
      <form className="body" onSubmit={submit} autoComplete="off">
        <h2>{title}</h2>
        {props.children}
        {error === null ? null : <ErrorNotice error={error} />}
        {needsPassword ? (
          <div className="field">
            <label htmlFor="confirming-password">Current password</label>
            <input
              id="confirming-password"
              className="input"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </div>
        ) : null}
        {command === undefined ? null : <Command>{command}</Command>}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={isDangerous ? 'button danger' : 'button primary'} disabled={isPending}>
            {isPending ? `${pending} …` : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
