import { MIN_PASSWORD_LENGTH } from '@svc/core/access';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { PasswordField } from '../design/fields.tsx';
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
        <PasswordField value={current} onChange={setCurrent} />
        <PasswordField
          label="New password"
          isNew
          minLength={MIN_PASSWORD_LENGTH}
          value={password}
          hint={`At least ${MIN_PASSWORD_LENGTH} characters, such as four random words.`}
          onChange={setPassword}
        />
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
