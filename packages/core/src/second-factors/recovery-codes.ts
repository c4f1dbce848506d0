export const RECOVERY_CODES = 10;

// Crockford's base32, which has no letters that look like digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A code of 80 random bits, such as `k3vm-qd7p-x8ra-ne5w`. */
export function makeRecoveryCode(random: (bytes: number) => Uint8Array): string {
  const letters = [...random(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join('');
  return Array.from({ length: GROUPS }, (_, i) => letters.slice(i * GROUP_LENGTH, (i + 1) * GROUP_LENGTH)).join('-');
}

/** How a code is compared: without what people change when they copy it. */
export const normalRecoveryCode = (text: string): string =>
  text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
