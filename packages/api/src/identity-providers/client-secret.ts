import type { Transaction } from '@svc/db/connection';
import { clientSecretRow, findClientSecret } from '@svc/db/identity-providers';
import { SealError, type Sealed, seal, unseal } from '@svc/db/secrets';
import type { ApiDeps } from '../http/deps.ts';
import { RefusedSignInError } from './refused-sign-in.ts';

/** Encrypts the secret of a provider's client; null without one, undefined if it stays as it is. */
export function sealClientSecret(
  { sealing, random }: ApiDeps,
  id: string,
  secret: string | null | undefined,
): Sealed | null | undefined {
  return secret == null ? secret : seal(sealing, clientSecretRow(id), { client_secret: secret }, random);
}

/** The secret of a provider's client; null without one. @throws RefusedSignInError if this server lacks its key */
export async function openClientSecret({ sealing }: ApiDeps, client: Transaction, id: string): Promise<string | null> {
  const sealed = await findClientSecret(client, id);
  if (sealed === null) return null;
  try {
    return unseal(sealing, clientSecretRow(id), sealed)['client_secret']!;
  } catch (error) {
    throw error instanceof SealError ? new RefusedSignInError('secret-unreadable', { cause: error }) : error;
  }
}
