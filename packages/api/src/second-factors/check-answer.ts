import { normalRecoveryCode, type SecondFactorAnswer } from '@svc/core/second-factors';
import type { Transaction } from '@svc/db/connection';
import {
  countRecoveryCodes,
  listSecondFactors,
  type StoredTotp,
  takeRecoveryCode,
  totpSecretRow,
  useSecurityKey,
  useTotpStep,
} from '@svc/db/second-factors';
import { SealError, unseal } from '@svc/db/secrets';
import type { Request } from 'express';
import type { ApiDeps } from '../http/deps.ts';
import { sha256 } from '../http/keys.ts';
import type { Challenge } from './sealed.ts';
import { assertedCounter } from './security-keys.ts';
import { totpStep } from './totp.ts';

/** The second factor that was used, as SIGNED_IN records it. */
export interface UsedFactor {
  readonly second_factor: string;
  readonly recovery_codes_left?: number;
}

interface Check {
  readonly deps: ApiDeps;
  readonly req: Request;
  readonly now: Date;
  readonly challenge: Challenge;
}

/** Uses up the answer to a challenge; null if it is wrong or was used before. */
export async function checkAnswer(
  tx: Transaction,
  check: Check,
  { code, assertion, recovery_code }: SecondFactorAnswer,
): Promise<UsedFactor | null> {
  const { principalId } = check.challenge;
  if (recovery_code !== undefined) return checkRecoveryCode(tx, check, recovery_code);
  for (const factor of await listSecondFactors(tx, principalId)) {
    const isUsed =
      factor.kind === 'totp'
        ? code !== undefined && (await checkCode(tx, check, factor, code))
        : assertion !== undefined && (await checkAssertion(tx, check, factor, assertion));
    if (isUsed) return { second_factor: factor.name };
  }
  return null;
}

async function checkCode(tx: Transaction, { deps, now }: Check, factor: StoredTotp, code: string): Promise<boolean> {
  const secret = openTotpSecret(deps, factor);
  const step = secret === null ? null : totpStep(secret, code, now);
  return step !== null && useTotpStep(tx, { id: factor.id, step, now });
}

/** Null if this server lacks the key of the secret: the person can still use another factor. */
function openTotpSecret({ sealing, log }: ApiDeps, { id, secret }: StoredTotp): string | null {
  try {
    return unseal(sealing, totpSecretRow(id), secret)['secret']!;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ err: error, secondFactor: id }, 'the secret of a second factor cannot be decrypted');
    return null;
  }
}

async function checkAssertion(
  tx: Transaction,
  { deps, req, now, challenge: { signed } }: Check,
  { id, credential }: { id: string; credential: Parameters<typeof assertedCounter>[2]['credential'] },
  assertion: NonNullable<SecondFactorAnswer['assertion']>,
): Promise<boolean> {
  const counter = await assertedCounter(deps, req, { assertion, credential, signed });
  return counter !== null && useSecurityKey(tx, { id, counter, now });
}

async function checkRecoveryCode(
  tx: Transaction,
  { now, challenge: { principalId } }: Check,
  text: string,
): Promise<UsedFactor | null> {
  const hash = sha256(normalRecoveryCode(text));
  if (!(await takeRecoveryCode(tx, { principalId, hash, now }))) return null;
  return { second_factor: 'recovery code', recovery_codes_left: await countRecoveryCodes(tx, principalId) };
}
