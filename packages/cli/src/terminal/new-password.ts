import { usageError } from '../cli-error.ts';
import type { Io } from './io.ts';

/** Prompts twice for a new password. @throws CliError if the two differ */
export async function promptNewPassword({ prompt }: Pick<Io, 'prompt'>): Promise<string> {
  const password = await prompt.password('New password');
  if ((await prompt.password('Repeat the new password')) !== password)
    throw usageError("The new passwords don't match. Nothing was changed.");
  return password;
}
