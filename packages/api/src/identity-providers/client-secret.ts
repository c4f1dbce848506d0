import type { Transaction } from '@svc/db/connection';
import { clientSecretRow, findClientSecret } from '@svc/db/identity-providers';
import { type Sealed, seal, unseal } from '@svc/db/secrets';
import type { ApiDeps } from '../http/deps.ts';

/** Encrypts the secret of a provider's client; null without one, undefined if it stays as it is. */
export function sealClientSecret(
  { sealing, random }: ApiDeps,
  id: string,
  secret: string | null | undefined,
): Sealed | null | undefined {
  return secret == null ? secret : seal(sealing, clientSecretRow(id), { client_secret: secret }, random);
}

/** The secret of a provider's client; null without one. @throws SealError */
export async function openClientSecret({ sealing }: ApiDeps, client: Transaction, id: string): Promise<string | null> {
  const sealed = await findClientSecret(client, id);
  return sealed === null ? null : unseal(sealing, clientSecretRow(id), sealed)['client_secret']!;
}
