import { createHash } from 'node:crypto';

/** Identifies a secret credential that has no public id. */
export const fingerprint = (secret: string): string =>
  `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 32)}`;
