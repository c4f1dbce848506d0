import { returnPath } from '@svc/core/return-path';
import { type SecondFactorChallenge, SvcError } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { Field, PasswordField } from '../design/fields.tsx';
import { Icon } from '../design/icons.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { completeSignIn, type SecondFactorAnswer, sessionQuery, signIn, signInOptionsQuery } from './session.ts';
import { SignInFailureNotice } from './sign-in-failure.tsx';

function useSignIn() {
  const { to } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);
  const onSuccess = () => router.history.replace(`/console${returnPath(to)}`);
  const first = useMutation({
    mutationFn: ({ name, password }: { name: string; password: string }) => signIn(name, password),
    onSuccess,
    onError: (error) => setChallenge(error instanceof SvcError ? (error.secondFactor ?? null) : null),
  });
  const second = useMutation({
    mutationFn: (answer: SecondFactorAnswer) => completeSignIn(challenge!.challenge, answer),
    onSuccess,
    gcTime: 0,
  });
  const startAgain = () => {
    setChallenge(null);
    first.reset();
    second.reset();
  };
  return { challenge, first, second, startAgain };
}

/** Leads to the page of an identity provider, and from there back to the page that the person wanted to see. */
function ProviderLinks({ providers }: { providers: readonly string[] }) {
  const { to } = useSearch({ from: '/sign-in' });
  if (providers.length === 0) return null;
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`;
  return (
    <nav className="stack" aria-label="Identity providers">
      {providers.map((name) => (
        <a key={name} className="button" href={`/console/sign-in/${name}${query}`}>
          Sign in with {name}
        </a>
      ))}
    </nav>
  );
}

interface PasswordFormProps {
  onSubmit: (name: string, password: string) => void;
  isPending: boolean;
}

function PasswordForm({ onSubmit, isPending }: PasswordFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onSubmit(name.trim(), password);
  };
  return (
    <form onSubmit={submit}>
      <Field
        label="Name"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={name}
        onChange={setName}
      />
      <PasswordField
        label="Password"
        value={password}
        hint={
          <>
            No account yet? An administrator creates one: <code>svc principal create NAME --password-stdin</code>. No
            password yet, or forgotten? <code>svc principal set-password NAME</code>
          </>
        }
        onChange={setPassword}
      />
      <button type="submit" className="button primary" disabled={isPending}>
        {isPending ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}

function hintOf(passwords: boolean, providers: readonly string[]): string {
  if (passwords) return 'With your name and password at this service.';
  return providers.length > 0
    ? 'With the account of your organization.'
    : 'Passwords are switched off, and there is no identity provider. An administrator adds one on the command line.';
}

/** Name and password, or an identity provider. The service answers with a cookie that scripts can't read. */
export function SignInPage() {
  // An error here is not "signed out", but a service that doesn't respond.
  const { error: unreachable } = useQuery(sessionQuery);
  const { passwords, providers } = useQuery(signInOptionsQuery).data ?? { passwords: true, providers: [] };
  const { challenge, first, second, startAgain } = useSignIn();
  useEffect(() => {
    document.title = 'Sign in · svc';
  }, []);
  const error = challenge === null ? (first.error ?? unreachable) : second.error;
  return (
    <main className="signin">
      <div className="ways">
        <span className="mark" aria-hidden="true">
          <Icon name="lines" />
        </span>
        <div>
          <h1>Sign in to svc</h1>
          <p className="soft">{challenge === null ? hintOf(passwords, providers) : 'Enter your second factor.'}</p>
        </div>
        {error === null ? <SignInFailureNotice /> : <ErrorNotice error={error} />}
        {challenge === null ? (
          <>
            {passwords ? (
              <PasswordForm
                onSubmit={(name, password) => first.mutate({ name, password })}
                isPending={first.isPending}
              />
            ) : null}
            <ProviderLinks providers={providers} />
          </>
        ) : (
          <SecondFactorForm
            challenge={challenge}
            isPending={second.isPending}
            onAnswer={second.mutate}
            onStartAgain={startAgain}
          />
        )}
      </div>
    </main>
  );
}
