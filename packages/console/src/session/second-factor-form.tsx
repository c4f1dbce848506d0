import { startAuthentication } from '@simplewebauthn/browser';
import type { SecondFactorChallenge } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Field } from '../design/fields.tsx';
import { ErrorNotice } from '../design/states.tsx';
import type { SecondFactorAnswer } from './session.ts';

interface SecondFactorFormProps {
  challenge: SecondFactorChallenge;
  isPending: boolean;
  onAnswer: (answer: SecondFactorAnswer) => void;
  onStartAgain: () => void;
}

/** Lets the browser sign with a security key. */
function KeyButton({
  options,
  onAnswer,
  isPending,
}: { options: Record<string, unknown> } & Pick<SecondFactorFormProps, 'onAnswer' | 'isPending'>) {
  const sign = useMutation({
    mutationFn: () => startAuthentication({ optionsJSON: options as never }),
    onSuccess: (assertion) => onAnswer({ assertion: assertion as unknown as Record<string, unknown> }),
    gcTime: 0,
  });
  return (
    <>
      {sign.error === null ? null : <ErrorNotice error={sign.error} />}
      <button type="button" className="button" disabled={isPending || sign.isPending} onClick={() => sign.mutate()}>
        {sign.isPending ? 'Waiting for the key …' : 'Use a security key or passkey'}
      </button>
    </>
  );
}

/** The second step of a sign-in: a code, a security key or a recovery code. */
export function SecondFactorForm({ challenge, isPending, onAnswer, onStartAgain }: SecondFactorFormProps) {
  const { methods, options } = challenge;
  const [isRecovery, setRecovery] = useState(!methods.includes('code') && !methods.includes('assertion'));
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [isRecovery]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onAnswer(isRecovery ? { recovery_code: text } : { code: text });
  };
  const hasField = isRecovery || methods.includes('code');
  return (
    <form onSubmit={submit}>
      {hasField ? (
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
      ) : null}
      {hasField ? (
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Signing in …' : 'Continue'}
        </button>
      ) : null}
      {options !== null && !isRecovery ? (
        <KeyButton options={options} isPending={isPending} onAnswer={onAnswer} />
      ) : null}
      {methods.includes('recovery_code') || isRecovery ? (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            setText('');
            setRecovery(!isRecovery);
          }}
        >
          {isRecovery ? 'Use your second factor' : 'Use a recovery code'}
        </button>
      ) : null}
      <button type="button" className="button quiet" onClick={onStartAgain}>
        Start again
      </button>
    </form>
  );
}
