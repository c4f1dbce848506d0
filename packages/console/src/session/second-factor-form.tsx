import type { SecondFactorChallenge } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Field } from '../design/fields.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { canUseKeys, NO_KEYS, signWithKey, stopUsingKeys } from './security-keys.ts';
import type { SecondFactorAnswer } from './session.ts';

interface WayProps {
  isPending: boolean;
  onAnswer: (answer: SecondFactorAnswer) => void;
}

/** Lets the browser sign with a security key. */
function KeyButton({ options, onAnswer, isPending }: WayProps & { options: Record<string, unknown> }) {
  const sign = useMutation({
    mutationFn: () => signWithKey(options),
    onSuccess: (assertion) => onAnswer({ assertion }),
    gcTime: 0,
  });
  useEffect(() => stopUsingKeys, []);
  if (!canUseKeys()) return <p className="notice warn">{NO_KEYS}</p>;
  return (
    <>
      {sign.error === null ? null : <ErrorNotice error={sign.error} />}
      <button type="button" className="button" disabled={isPending || sign.isPending} onClick={() => sign.mutate()}>
        {sign.isPending ? 'Waiting for the key …' : 'Use a security key or passkey'}
      </button>
    </>
  );
}

function CodeForm({ isRecovery, isPending, onAnswer }: WayProps & { isRecovery: boolean }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onAnswer(isRecovery ? { recovery_code: text } : { code: text });
  };
  return (
    <form onSubmit={submit}>
      <Field
        label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
        ref={field}
        className="mono"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        required
        value={text}
        onChange={setText}
      />
      <button type="submit" className="button primary" disabled={isPending}>
        {isPending ? 'Signing in …' : 'Continue'}
      </button>
    </form>
  );
}

interface SecondFactorFormProps extends WayProps {
  challenge: SecondFactorChallenge;
  onStartAgain: () => void;
}

/** The second step of a sign-in: a code, a security key or a recovery code. */
export function SecondFactorForm({ challenge, onStartAgain, ...way }: SecondFactorFormProps) {
  const { methods, options } = challenge;
  const hasFactor = methods.includes('code') || options !== null;
  const hasRecovery = methods.includes('recovery_code');
  const [isRecovery, setRecovery] = useState(!hasFactor && hasRecovery);
  return (
    <>
      {isRecovery || methods.includes('code') ? (
        <CodeForm key={String(isRecovery)} isRecovery={isRecovery} {...way} />
      ) : null}
      {options === null || isRecovery ? null : <KeyButton options={options} {...way} />}
      {hasFactor || hasRecovery ? null : (
        <p className="notice warn">
          Your security keys don't work at the address of this page, and no recovery code is left. Open the console at
          the address that the key was added at, or let an administrator remove your second factors.
        </p>
      )}
      {hasFactor && hasRecovery ? (
        <button type="button" className="button quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use your second factor' : 'Use a recovery code'}
        </button>
      ) : null}
      <button type="button" className="button quiet" onClick={onStartAgain}>
        Start again
      </button>
    </>
  );
}
