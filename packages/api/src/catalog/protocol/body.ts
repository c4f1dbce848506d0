import { badRequest } from '@svc/core/catalog';
import { isStorable } from '@svc/core/contract';
import { parseLossless } from '@svc/iceberg';
import type { Request } from 'express';
import type * as z from 'zod';
import { readBody } from '../../http/request/input.ts';
import { issueMessage } from '../../http/request/issue-messages.ts';

/** Maximum body size in bytes. A table of ten thousand columns takes about one MiB. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Maximum size of a body that is read only so that an error can name its object. */
const SMALL_BODY = 64 * 1024;
/** Maximum nesting depth, far beyond any schema; the code that reads bodies is recursive. */
const DEPTH_LIMIT = 256;

export function readCatalogBody(req: Request): Promise<Buffer> {
  return readBody(req, BODY_LIMIT);
}

/** Whether a body is small enough to read before authorization; a body of undeclared length is not. */
export const isSmallBody = (req: Request): boolean => {
  const length = req.headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY;
};

/** Parses a body with its schema and preserves 64-bit integers. @throws CatalogError */
export function parseCatalogBody(raw: Buffer, schema: z.ZodType): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw badRequest('The body is not UTF-8.');
  }
  if (isTooDeep(raw)) throw badRequest(`The body is nested deeper than ${DEPTH_LIMIT} levels.`);
  let value: unknown;
  try {
    // Only long runs of digits can lose precision.
    value = /\d{16}/.test(text) ? parseLossless(text) : JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON. Correct it and send it again.');
  }
  refuseUnstorable(value);
  const read = schema.safeParse(value, { error: issueMessage });
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  throw badRequest(`Field ${issue.path.map(String).join('.') || 'body'}: ${issue.message}.`);
}

/** Counts brackets outside strings. */
function isTooDeep(raw: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]!;
    if (inText) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inText = false;
    } else if (byte === 0x22) inText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > DEPTH_LIMIT) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** Rejects NUL and lone surrogates, which can't be stored. */
function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw badRequest('A text contains NUL or a lone surrogate.');
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorable(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseUnstorable(key);
      refuseUnstorable(inner);
    }
  }
}
