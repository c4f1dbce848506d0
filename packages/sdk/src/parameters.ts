import type { BodyOf } from './routes.ts';

type SentParameters = NonNullable<BodyOf<'queries.create'>['params']>;
type Scalar = string | number | bigint | boolean | Date | null;

/** A value of a parameter. `type` is a column type other than those of JSON, such as `decimal(10,2)`. */
export type Parameter = Scalar | Uint8Array | { readonly type: string; readonly value: Scalar };

/** The values of a statement's parameters: a list for `?` and `$1`, an object for `$name`. */
export type Parameters = readonly Parameter[] | { readonly [name: string]: Parameter };

/**
 * Values as they are sent. JSON has no NaN, no infinities, no large integers and no times, and JSON.stringify would make NULL of some.
 *
 * @throws TypeError for a value that isn't one
 */
export function sentParameters(params: Parameters): SentParameters {
  if (typeof params !== 'object' || params === null) throw new TypeError('params must be a list or an object.');
  if (Array.isArray(params)) return params.map((value, i) => sent(value, `params[${i}]`)) as SentParameters;
  const named = Object.entries(params).map(([name, value]) => [name, sent(value, `params.${name}`)]);
  return Object.fromEntries(named) as SentParameters;
}

function sent(value: unknown, at: string): unknown {
  if (value instanceof Uint8Array) return { type: 'binary', value: base64(value) };
  if (value instanceof Date) return { type: 'timestamptz', value: plain(value, at) };
  if (typeof value === 'bigint') {
    const isLong = BigInt.asIntN(64, value) === value;
    return { type: isLong ? 'long' : 'decimal(38,0)', value: plain(value, at) };
  }
  if (isOutsideJson(value)) return { type: 'double', value: plain(value, at) };
  if (typeof value !== 'object' || value === null || !('value' in value)) return plain(value, at);
  return { ...value, value: plain(value.value, `${at}.value`) };
}

/** The value of a type that the server knows, as JSON has it. */
function plain(value: unknown, at: string): unknown {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError(`${at} is an invalid Date.`);
    return value.toISOString();
  }
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint' || isOutsideJson(value)) return String(value);
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${at} is ${value === undefined ? 'undefined; write null for NULL' : `a ${typeof value}`}.`);
  return value;
}

const isOutsideJson = (value: unknown): boolean =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0));

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
