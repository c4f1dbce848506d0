import { ApiError } from '@svc/core/errors';
import { hmac, sameBytes } from '../keys.ts';

const MAC_BYTES = 16;

/** The list (with its path) that a cursor belongs to, and the filters and limit it was issued for. */
export interface CursorBinding {
  list: string;
  filters: unknown;
}

const CURSOR = { parameter: 'cursor', restart: 'Omit the cursor to start from the first page.' };

type Payload = [version: 1, list: string, filters: string, position: unknown];

/** Makes an authenticated, opaque cursor for the given position. */
export function makeCursor(key: Buffer, { list, filters }: CursorBinding, position: unknown): string {
  const payload: Payload = [1, list, digest(key, filters), position];
  const body = Buffer.from(JSON.stringify(payload));
  return `${body.toString('base64url')}.${hmac(key, body.toString()).subarray(0, MAC_BYTES).toString('base64url')}`;
}

/**
 * Reads the position from a cursor, which the caller sent as `parameter`.
 * @throws ApiError `invalid-cursor` when it was not issued for exactly this list
 */
export function readCursor(
  key: Buffer,
  { list, filters }: CursorBinding,
  cursor: string,
  { parameter, restart }: { parameter: string; restart: string } = CURSOR,
): unknown {
  const invalidCursor = (reason: string) =>
    new ApiError('invalid-cursor', `parameter ${parameter}: ${reason} ${restart}`, {
      errors: [{ parameter, message: reason }],
    });
  const payload = open(key, cursor);
  if (payload === null) throw invalidCursor('this is not a cursor issued by this service.');
  const [, issuedFor, digested, position] = payload;
  if (issuedFor !== list) throw invalidCursor(`it was issued for ${issuedFor}, not for ${list}.`);
  if (digested !== digest(key, filters))
    throw invalidCursor('it was issued for other filters, another path or another limit: repeat them unchanged.');
  return position;
}

function digest(key: Buffer, filters: unknown): string {
  return hmac(key, JSON.stringify(filters) ?? '')
    .subarray(0, MAC_BYTES)
    .toString('base64url');
}

function open(key: Buffer, cursor: string): Payload | null {
  const [body = '', mac = '', ...rest] = cursor.split('.');
  if (rest.length > 0) return null;
  const [actualMac, signed] = [body, mac].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  // The text must match exactly, because decoding ignores characters outside base64url.
  if (actualMac.toString('base64url') !== body || signed.toString('base64url') !== mac) return null;
  const text = actualMac.toString();
  if (!sameBytes(signed, hmac(key, text).subarray(0, MAC_BYTES))) return null;
  return JSON.parse(text) as Payload;
}
