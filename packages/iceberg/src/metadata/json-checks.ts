import { InvalidMetadataError } from '../errors/table-errors.ts';

/** Why a value violates a specification, and its position in the file. */
class InvalidValueError extends Error {
  path = '';
}

/** Validates a value of an untrusted JSON file. @throws InvalidValueError */
export type Check = (value: unknown) => void;

const invalid = (problem: string): never => {
  throw new InvalidValueError(problem);
};

function inside(key: string, check: Check, value: unknown): void {
  try {
    check(value);
  } catch (error) {
    if (error instanceof InvalidValueError) error.path = `${key}${error.path}`;
    throw error;
  }
}

/** @param what a description of the value, for messages. @throws InvalidMetadataError naming the field */
export function requireValid(what: string, check: Check, value: unknown): void {
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    const field = error.path === '' ? 'it' : `"${error.path.replace(/^\./, '')}"`;
    throw new InvalidMetadataError(`${what} is not valid: ${field} ${error.message}.`);
  }
}

/** An id or a count that the service calculates with. */
export const whole =
  (min: number, max: number): Check =>
  (value) => {
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return;
    invalid(`must be an integer from ${min} to ${max}`);
  };

const LONG_END = 2n ** 63n;

export const long =
  (min: bigint): Check =>
  (value) => {
    if (typeof value === 'number' ? Number.isSafeInteger(value) && value >= min : isLong(value, min)) return;
    invalid(`must be an integer from ${min} to ${LONG_END - 1n}`);
  };

const isLong = (value: unknown, min: bigint): boolean => typeof value === 'bigint' && value >= min && value < LONG_END;

/** Rejects NUL, which ends a text for some programs. */
export const text =
  (max: number, min = 0): Check =>
  (value) => {
    if (typeof value !== 'string') return invalid('must be a string');
    if (value.length > max || value.length < min) invalid(`must have from ${min} to ${max} characters`);
    if (value.includes('\0')) invalid('contains a NUL character');
  };

export const oneOf =
  (...values: readonly string[]): Check =>
  (value) => {
    if (typeof value !== 'string' || !values.includes(value.toLowerCase())) invalid(`must be ${values.join(' or ')}`);
  };

export const boolean: Check = (value) => {
  if (typeof value !== 'boolean') invalid('must be true or false');
};

/** Null counts as absent. */
export const optional =
  (check: Check): Check =>
  (value) => {
    if (value !== undefined && value !== null) check(value);
  };

export const list =
  (check: Check, max = 1_000_000): Check =>
  (value) => {
    if (!Array.isArray(value)) return invalid('must be a list');
    if (value.length > max) invalid(`has more than ${max} elements`);
    for (let i = 0; i < value.length; i++) inside(`[${i}]`, check, value[i]);
  };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ignores fields with other names: later versions of the specification may add some. */
export const object = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(fields);
  return (value) => {
    if (!isObject(value)) return invalid('must be an object');
    for (const [name, check] of checks) inside(`.${name}`, check, value[name]);
  };
};

/** An object with arbitrary names. */
export const dictionary =
  (name: Check, check: Check): Check =>
  (value) => {
    if (!isObject(value)) return invalid('must be an object');
    for (const key of Object.keys(value)) {
      const pathPart = `.${key.slice(0, 60)}`;
      inside(`${pathPart} (its name)`, name, key);
      inside(pathPart, check, value[key]);
    }
  };

/** Skips values that have already passed the check, because they can't change. */
export const memoized = (check: Check): Check => {
  const checked = new WeakSet<object>();
  return (value) => {
    if (typeof value === 'object' && value !== null && checked.has(value)) return;
    check(value);
    if (typeof value === 'object' && value !== null) checked.add(value);
  };
};

export const refuse = invalid;
