import type { TableMetadata } from '../metadata/metadata.ts';

/** An update as the catalog protocol sends it: `action` and the fields of that action. */
export type TableUpdate = { readonly action: string } & Readonly<Record<string, unknown>>;

/** `conflict`: a requirement isn't met (409). `invalid`: the request itself is wrong (400). */
export type CommitFailure = { readonly ok: false; readonly kind: 'conflict' | 'invalid'; readonly message: string };
export type AppliedUpdates = { readonly ok: true; readonly metadata: TableMetadata } | CommitFailure;

/** Why an update can't be applied. `applyUpdates` converts it to a value. */
export class UpdateRejectedError extends Error {
  readonly kind: CommitFailure['kind'];

  constructor(message: string, kind: CommitFailure['kind'] = 'invalid') {
    super(message);
    this.kind = kind;
  }
}

/** The metadata being changed, and the items to which `-1` ("the last added one") refers. */
export type Draft = {
  metadata: TableMetadata;
  lastAddedSchema: number | null;
  lastAddedSpec: number | null;
  lastAddedSortOrder: number | null;
  readonly addedSnapshots: Set<number | bigint>;
  /** A copy of the properties of `metadata`, once an update changes them. */
  ownProperties: Record<string, string> | null;
  readonly now: number;
};

/** A required string field of an update. */
export function text(update: TableUpdate, field: string): string {
  const value = update[field];
  if (typeof value !== 'string' || value === '')
    throw new UpdateRejectedError(`"${field}" of ${update.action} must be a string.`);
  return value;
}

/** A required integer field of an update. */
export function integer(update: TableUpdate, field: string): number {
  const value = update[field];
  if (!Number.isSafeInteger(value)) throw new UpdateRejectedError(`"${field}" of ${update.action} must be an integer.`);
  return value as number;
}

/** A required object field of an update. */
export function object(update: TableUpdate, field: string): Readonly<Record<string, unknown>> {
  const value = update[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UpdateRejectedError(`"${field}" of ${update.action} must be an object.`);
  }
  return value as Readonly<Record<string, unknown>>;
}
