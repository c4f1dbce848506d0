import { SvcError } from '@svc/sdk';
import { CliError, EXIT, usageError } from '../cli-error.ts';
import type { SvcCommand } from '../svc-command.ts';

/** Runs a change of second factors. If the sign-in was too long ago, it prompts for the password on a terminal and tries again. */
export async function confirmed<T>({ io, client }: Pick<SvcCommand<never>, 'io' | 'client'>, act: () => Promise<T>) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SvcError && error.code === 'confirmation-required' && io.interactive)) throw error;
    await client.access.confirmPassword(await io.prompt.password('Current password'));
    return act();
  }
}

/** The id of the caller's second factor with that name. @throws CliError */
export async function factorId({ client }: Pick<SvcCommand<never>, 'client'>, name: string): Promise<string> {
  const { factors } = await client.secondFactors.list();
  const found = factors.find((factor) => factor.name === name);
  if (found !== undefined) return found.id;
  throw new CliError(`You have no second factor ${name}.`, EXIT.notFound, 'svc second-factor list');
}

/** What a person has entered: six digits are a code of an authenticator app, everything else is a recovery code. */
export function answerOf(text: string): { code: string } | { recovery_code: string } {
  const answer = text.trim();
  if (answer === '') throw usageError('No code was entered.', 'svc login');
  if (!/^[\d ]+$/.test(answer)) return { recovery_code: answer };
  if (answer.replaceAll(' ', '').length !== 6)
    throw usageError('A code of an authenticator app has six digits.', 'svc login');
  return { code: answer };
}
