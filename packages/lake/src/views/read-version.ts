import type { ViewRepresentation, ViewVersion } from './metadata.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** Parses a version that a client sent; returns the reason if it is invalid. */
export function readVersion(value: unknown): ViewVersion | string {
  if (!isObject(value)) return '"view-version" must be an object.';
  const { summary = {}, representations, 'default-namespace': namespace } = value;
  if (!isInteger(value['version-id']) || !isInteger(value['schema-id']) || !isInteger(value['timestamp-ms'])) {
    return 'A view version needs "version-id", "schema-id" and "timestamp-ms".';
  }
  if (!isObject(summary) || Object.values(summary).some((v) => typeof v !== 'string')) {
    return 'The summary of a view version must be an object of strings.';
  }
  if (!Array.isArray(namespace) || namespace.some((level) => typeof level !== 'string')) {
    return 'A view version needs a "default-namespace".';
  }
  if (!Array.isArray(representations) || representations.some((r) => !isRepresentation(r))) {
    return 'A view version needs "representations" with type, sql and dialect.';
  }
  const dialects = (representations as ViewRepresentation[]).map(({ dialect }) => dialect.toLowerCase());
  const twice = dialects.find((dialect, i) => dialects.indexOf(dialect) !== i);
  if (twice !== undefined) return `Invalid view version: Cannot add multiple queries for dialect ${twice}`;
  return value as unknown as ViewVersion;
}

const isRepresentation = (value: unknown): boolean =>
  isObject(value) && ['type', 'sql', 'dialect'].every((field) => typeof value[field] === 'string');
