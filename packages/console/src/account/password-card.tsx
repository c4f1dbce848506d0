import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';
import { refreshSession } from '../session/session.ts';
import { svcCommand } from '../text/commands.ts';

/** Changes the password of the signed-in person. */
export function PasswordCard({ isRequired }: { isRequired: boolean }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => svc.access.changePassword(current, password),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      notify('Changed the password. Your other sessions are signed out.');
      await refreshSession();
    },
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <section className="stack" aria-label="Password">
      <h2>Password</h2>
      {isRequired ? (
        <div className="notice warn" role="status">
          <p>Somebody else has chosen your password. Change it to continue.</p>
        </div>
      ) : null}
      <form className="card body" onSubmit={submit}>
        <div className="field">
          <label htmlFor="current-password">Current password</label>
          <input
            id="current-password"
            className="input"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="new-password">New password</label>
          <input
            id="new-password"
            className="input"
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <p className="hint">At least 12 characters, such as four random words.</p>
        </div>
        {error === null ? null : <ErrorNotice error={error} />}
        <Command>{svcCommand('auth password', null, {})}</Command>
        <div>
          <button type="submit" className="button primary" disabled={isPending}>
            {isPending ? 'Changing …' : 'Change password'}
          </button>
        </div>
      </form>
    </section>
  );
}
