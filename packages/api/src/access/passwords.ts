import { hash, verify } from '@node-rs/argon2';
import { passwordWeakness } from '@svc/core/access';
import { invalid } from '@svc/core/errors';

// OWASP's first recommendation for argon2id: 19 MiB, two passes.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a new password. @throws ApiError if it is easy to guess */
export async function hashNewPassword(password: string, name: string): Promise<string> {
  const { COMMON_PASSWORDS } = await import('./common-passwords.ts');
  const weakness = passwordWeakness(password, { name, isCommon: (text) => COMMON_PASSWORDS.has(text) });
  if (weakness === null) return hashPassword(password);
  throw invalid(
    { pointer: '/password' },
    `is easy to guess: ${weakness}. Choose one that nobody else uses, such as four random words`,
  );
}

function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

let decoy: Promise<string> | undefined;

/** Compares with a decoy hash if the principal has no password, so that timing doesn't reveal it. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}
