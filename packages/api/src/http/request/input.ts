import type { IncomingMessage } from 'node:http';
import { isStorable } from '@svc/core/contract';
import { ApiError, type InputError } from '@svc/core/errors';
import type * as z from 'zod';
import { BODY_TIMEOUTS, withTimeouts } from './body-timeouts.ts';
import { issueMessage, parameterMessage } from './issue-messages.ts';

/** Maximum size of JSON bodies in bytes. */
export const BODY_LIMIT = 2 * 1024 * 1024;
/** Maximum nesting depth of a body: far more than any route needs, and safe for recursion. */
const DEPTH_LIMIT = 64;

type RawQuery = Record<string, string | string[]>;

/** Parses the query string; a repeated parameter becomes a list. */
export function rawQuery(url: string): RawQuery {
  const out: RawQuery = Object.create(null);
  const at = url.indexOf('?');
  if (at === -1) return out;
  for (const [name, value] of new URLSearchParams(url.slice(at + 1))) {
    const before = out[name];
    out[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return out;
}

function problems(issues: readonly z.core.$ZodIssue[], where: 'query' | 'body'): InputError[] {
  return issues.flatMap((issue): InputError[] => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return names.map((path) => {
      const message = issue.code === 'unrecognized_keys' ? unknownMessage(where) : issue.message;
      const parts = path.map(String);
      return where === 'query'
        ? { parameter: parts[0] ?? '', message }
        : {
            pointer:
              parts.length === 0 ? '' : `/${parts.map((p) => p.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
            message,
          };
    });
  });
}

const unknownMessage = (where: 'query' | 'body') => (where === 'query' ? 'unknown parameter' : 'unknown field');

function refuse(errors: InputError[], allowed: string[]): ApiError {
  const first = errors[0]!;
  const name =
    first.parameter !== undefined ? `parameter ${first.parameter}` : first.pointer ? `field ${first.pointer}` : 'body';
  const known = first.message.startsWith('unknown ') && allowed.length > 0 ? ` (known: ${allowed.join(', ')})` : '';
  const more = errors.length > 1 ? ` See errors for ${errors.length - 1} more.` : '';
  return new ApiError('invalid-request', `${name}: ${first.message}${known}.${more}`.replace(/\.\.$/, '.'), { errors });
}

function shapeKeys(schema: z.ZodType): string[] {
  const { shape } = schema as { shape?: object };
  return shape ? Object.keys(shape) : [];
}

/** Parses with the contract's schema. @throws ApiError `invalid-request` naming each invalid field */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
  where: 'query' | 'body',
  sealed: readonly string[] = [],
): z.output<T> {
  rejectUnstorableText(value, where, sealed);
  const read = schema.safeParse(value, { error: where === 'query' ? parameterMessage : issueMessage });
  if (read.success) return read.data;
  throw refuse(problems(read.error.issues, where), shapeKeys(schema));
}

/**
 * Removes nulls from optional fields, also inside lists: a new object has no value to clear, so null means the same as
 * omitting the field.
 */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const { shape = {}, element } = required(schema) as { shape?: Record<string, z.ZodType>; element?: z.ZodType };
  if (Array.isArray(value)) return element === undefined ? value : value.map((item) => withoutNulls(element, item));
  const known = (key: string) => (Object.hasOwn(shape, key) ? shape[key] : undefined);
  const meaningless = (field: z.ZodType | undefined) =>
    field?.safeParse(undefined).success === true && !field.safeParse(null).success;
  const entries = Object.entries(value).filter(([key, field]) => field !== null || !meaningless(known(key)));
  const inside = (key: string, field: unknown) => {
    const of = known(key);
    return of === undefined ? field : withoutNulls(of, field);
  };
  return Object.fromEntries(entries.map(([key, field]) => [key, inside(key, field)]));
}

/** Unwraps the schema of an optional field. */
function required(schema: z.ZodType): z.ZodType {
  const { unwrap, element } = schema as { unwrap?: () => z.ZodType; element?: z.ZodType };
  return unwrap === undefined || element !== undefined ? schema : required(unwrap.call(schema));
}

/**
 * Rejects NUL and lone surrogates in every text, because they can't be stored. Values to be encrypted may contain NUL. Also
 * rejects keys that schemas of objects with any keys would leave out.
 */
function rejectUnstorableText(
  value: unknown,
  where: 'query' | 'body',
  sealed: readonly string[],
  path: string[] = [],
): void {
  if (typeof value === 'string') {
    const takesNul = path.length > 1 && sealed.includes(path[0]!);
    if (takesNul ? value.isWellFormed() : isStorable(value)) return;
    const message = takesNul
      ? 'must not contain a lone surrogate, a character that cannot be written in UTF-8'
      : 'must not contain NUL or a lone surrogate';
    throw refuseAt(path, where, message);
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw refuseAt([...path, key], where, 'must have another name');
    rejectUnstorableText(key, where, [], [...path, '…']);
    rejectUnstorableText(inner, where, sealed, [...path, key]);
  }
}

function refuseAt(path: readonly string[], where: 'query' | 'body', message: string): ApiError {
  const at = where === 'query' ? { parameter: path[0] ?? '' } : { pointer: `/${path.join('/')}` };
  return refuse([{ ...at, message }], []);
}

/** Reads a whole body up to the limit. @throws ApiError `body-too-large`, `body-too-slow`, `malformed-request` */
export async function readBody(req: IncomingMessage, limit = BODY_LIMIT, timeouts = BODY_TIMEOUTS): Promise<Buffer> {
  const tooLarge = () =>
    new ApiError('body-too-large', `The body is larger than ${limit} bytes. Split it into smaller requests.`);
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of piecesOf(req, timeouts)) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError || !req.destroyed) throw error;
    throw new ApiError('malformed-request', 'The request was cut off. Nothing was changed. Send it again.', {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
}

/**
 * The body as it arrives. Stopping early leaves the connection open, so that a response can still be sent.
 * @throws ApiError `unsupported-media-type` for a compressed body, which would otherwise be read as something else;
 * `body-too-slow` while it is read
 */
export function piecesOf(req: IncomingMessage, timeouts = BODY_TIMEOUTS): AsyncIterable<Buffer> {
  const coding = req.headers['content-encoding'] ?? '';
  if (!/^\s*(?:identity\s*)?$/i.test(coding))
    throw new ApiError(
      'unsupported-media-type',
      'The body has a Content-Encoding, which is not supported. Send it uncompressed, without that header.',
    );
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return req.complete ? chunks : withTimeouts(chunks, timeouts);
}

/**
 * Parses a JSON body; undefined when it is empty.
 * @throws ApiError `unsupported-media-type`, `malformed-json`, `invalid-request`
 */
export function parseJson(body: Buffer, contentType: string | undefined): unknown {
  if (body.length === 0) return undefined;
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new ApiError('unsupported-media-type', 'The body must be JSON: send it with Content-Type: application/json.');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new ApiError('malformed-json', 'The body is not valid JSON in UTF-8. Correct it and send it again.', {
      cause: error,
    });
  }
  if (isDeeper(value, DEPTH_LIMIT))
    throw refuse([{ pointer: '', message: `must be nested at most ${DEPTH_LIMIT} levels deep` }], []);
  return value;
}

/** Works level by level, because recursion could exhaust the stack on deep values. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * Replaces NUL, which the database can't accept even in a query, with a noncharacter. No name contains either of them.
 */
export function storable(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([key, name]) => [key, name.replaceAll('\0', '\uffff')]));
}
