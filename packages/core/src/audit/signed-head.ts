import * as z from 'zod';
import { readInstant } from '../contract/index.ts';

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const keyId = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex digits');

/** The end of the audit log's hash chain, authenticated with a key that isn't stored in the database. */
export const signedHeadSchema = z
  .object({
    version: z.literal(1),
    sequence: z.int().min(1),
    hash: z.string(),
    /** The first event sealed with a signature, and when. Events before it were signed as they were at that time. */
    signed_since: z.object({ sequence: z.int(), time: z.iso.datetime() }),
    key_id: z.string(),
    mac: z.string(),
  })
  .meta({ id: 'AuditSignedHead' });
export type SignedHead = z.infer<typeof signedHeadSchema>;

/** What the MAC of a head covers. */
export type HeadContent = Pick<SignedHead, 'sequence' | 'hash' | 'signed_since'>;

/** The canonical text of a head: JSON without spaces, hash in lower-case hex, time in UTC with milliseconds. */
export function headText({ sequence, hash, signed_since }: HeadContent): string {
  return JSON.stringify(['svc audit head', 1, sequence, hash, signed_since.sequence, signed_since.time]);
}

const formerHeadSchema = z.object({
  sequence: z.int().min(1),
  hash: sha256Hex,
  version: z.literal(1, 'this service supports only version 1').optional(),
  signed_since: z.object({ sequence: z.int().min(1), time: z.string() }).optional(),
  key_id: keyId.optional(),
  mac: sha256Hex.optional(),
});

/** A saved head. `signature` is null for one without: version 0.1 showed only sequence and hash. */
export interface FormerHead extends Pick<SignedHead, 'sequence' | 'hash'> {
  signature: Pick<SignedHead, 'signed_since' | 'key_id' | 'mac'> | null;
}

/** Parses a saved head from its JSON text; a returned string says what is wrong with it. */
export function readFormerHead(text: string): FormerHead | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'must be a head as JSON, such as signed_head of svc audit verify --output json';
  }
  const read = formerHeadSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `must be a head as JSON: ${[issue!.path.join('.'), issue!.message].filter((part) => part !== '').join(': ')}`;
  }
  const { sequence, hash, version, signed_since, key_id, mac } = read.data;
  if (mac === undefined && key_id === undefined) return { sequence, hash, signature: null };
  if (mac === undefined || key_id === undefined || signed_since === undefined || version === undefined)
    return 'must be a complete signed head (version, sequence, hash, signed_since, key_id, mac), or only sequence and hash';
  const at = readInstant(signed_since.time);
  if (at === null) return 'must be a head as JSON: signed_since.time: must be a time with a time zone';
  const since = { sequence: signed_since.sequence, time: at.toISOString() };
  return { sequence, hash, signature: { signed_since: since, key_id, mac } };
}
