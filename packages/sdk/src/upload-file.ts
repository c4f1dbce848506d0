import { SvcError } from './errors.ts';
import type { Write } from './records.ts';
import type { BreakGlass, CallOptions, ClientParts, PartHash } from './request.ts';
import type { BodyOf } from './routes.ts';
import type { UploadBody } from './transport.ts';
import type { Uploads } from './uploads.ts';

/** A file that can be read from any position, such as a `Blob`. */
export interface UploadFile {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `start` (included) to `end` (excluded). */
  slice(start: number, end: number): { stream(): AsyncIterable<Uint8Array> };
}

export function isFile(body: UploadBody | UploadFile): body is UploadFile {
  return typeof body === 'object' && 'slice' in body && 'size' in body;
}

/** A larger file is sent in parts. */
const WHOLE_BYTES = 64 * 1024 * 1024;

/** Whether `client.tables.load` sends a file of this size in parts, so that an interrupted upload can be continued. */
export const isSentInParts = ({ size }: Pick<UploadFile, 'size'>): boolean => size > WHOLE_BYTES;

/** A file among several that are loaded together, such as a `File`. */
export interface NamedFile extends UploadFile {
  /** Names the file in messages. At most 255 characters. */
  readonly name?: string | undefined;
  /** Recognizes the file in a later call, which then sends only the parts that are missing. At most 256 characters. */
  readonly fingerprint?: string | undefined;
}

/** What files are loaded into, and how. */
export interface FileLoad {
  env: string;
  table: string;
  format: BodyOf<'uploads.create'>['format'];
  finish: BodyOf<'uploads.finish'>;
  call: CallOptions & BreakGlass;
  newHash: ClientParts['newHash'];
}

/**
 * Sends files in parts and loads them in one write. A part whose connection breaks is sent again; a later call with the same
 * fingerprints sends only the parts that are missing.
 */
export async function uploadInParts(uploads: Uploads, files: readonly NamedFile[], load: FileLoad): Promise<Write> {
  const { env, table, call, finish } = load;
  const ids: string[] = [];
  for (const file of files) ids.push(await sendParts(uploads, file, load));
  const [first, ...also] = ids;
  return uploads.finish(env, table, first!, { ...call, ...finish, ...(also.length > 0 ? { also } : {}) });
}

/** Sends the missing parts of a file. Returns the id of its upload. */
async function sendParts(uploads: Uploads, file: NamedFile, load: FileLoad): Promise<string> {
  const { env, table, format, newHash } = load;
  // A key stands for one request, which is the one that loads the rows.
  const call = { ...load.call, idempotencyKey: undefined };
  const { name, fingerprint, size } = file;
  const { id, part_bytes, parts } = await uploads.create(env, table, { ...call, format, fingerprint, size, name });
  const arrived = new Map(parts.map((part) => [part.number, part.sha256]));
  for (let number = 1; (number - 1) * part_bytes < file.size; number++) {
    const part = file.slice((number - 1) * part_bytes, Math.min(number * part_bytes, file.size));
    // The file may have changed since, although its fingerprint has not.
    if (arrived.has(number) && arrived.get(number) === (await hashOf(part.stream(), newHash()))) continue;
    let hash = newHash();
    const body = () => {
      hash = newHash();
      return hashed(part.stream(), hash);
    };
    const { sha256 } = await uploads.putPart(env, table, id, number, body, call);
    if (sha256 !== (await hash.hex()))
      throw new SvcError(`Part ${number} arrived damaged. Load the file again.`, { code: 'part-damaged' });
  }
  return id;
}

async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: PartHash) {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

async function hashOf(pieces: AsyncIterable<Uint8Array>, hash: PartHash): Promise<string> {
  for await (const piece of pieces) hash.update(piece);
  return hash.hex();
}
