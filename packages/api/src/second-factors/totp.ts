import { Secret, TOTP } from 'otpauth';

const ISSUER = 'svc';
const PERIOD_S = 30;
const SECRET_BYTES = 20;

/** The code of an authenticator app (RFC 6238) with the parameters that all apps support. */
const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  });

export function newTotpSecret(random: (bytes: number) => Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(random(SECRET_BYTES)).buffer }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, principal: string): string => totpOf(secret, principal).toString();

/** The time step of a code that is valid now, or was or will be half a minute away, because clocks differ; null for a wrong one. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}
