import { badRequest } from '@svc/core/catalog';
import { isStorable } from '@svc/core/contract';
import { exceededLimit, parseLossless } from '@svc/iceberg';
import type { Request } from 'express';
import type * as z from 'zod';
import { readBody } from '../../http/request/input.ts';
import { issueMessage } from '../../http/request/issue-messages.ts';

/** Maximum body size in bytes. A table of ten thousand columns takes about one MiB. */
const BODY_LIMIT = 32 * 1024 * 1024;
/** Many short values take up to a hundred times as long to read as one text of their size, and the code that reads bodies is recursive. */
const JSON_LIMITS = { values: 300_000, levels: 256 };
/** Maximum size of a body that is read only so that an error can name its object. */
const SMALL_BODY = 64 * 1024;

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
  const exceeded = exceededLimit(raw, JSON_LIMITS);
  if (exceeded === 'values') throw badRequest(`The body has more than ${JSON_LIMITS.values} values.`);
  if (exceeded === 'levels') throw badRequest(`The body is nested deeper than ${JSON_LIMITS.levels} levels.`);
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
