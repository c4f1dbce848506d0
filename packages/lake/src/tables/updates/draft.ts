import type { TableMetadata } from '../metadata/metadata.ts';

/** An update as the catalogue protocol sends it: `action` and the fields that action has. */
export type TableUpdate = { readonly action: string } & Readonly<Record<string, unknown>>;

/** `conflict`: a requirement does not hold (409). `invalid`: the request is wrong in itself (400). */
export type CommitFailure = { readonly ok: false; readonly kind: 'conflict' | 'invalid'; readonly message: string };
export type AppliedUpdates = { readonly ok: true; readonly metadata: TableMetadata } | CommitFailure;

/** Why an update cannot be applied; turned into a value by `applyUpdates`. */
export class UpdateRejectedError extends Error {
  readonly kind: CommitFailure['kind'];

  constructor(message: string, kind: CommitFailure['kind'] = 'invalid') {
    super(message);
    this.kind = kind;
  }
}

/** The metadata being changed, and what `-1` ("the one added last") stands for. */
export type Draft = {
  metadata: TableMetadata;
  lastAddedSchema: number | null;
  lastAddedSpec: number | null;
  lastAddedSortOrder: number | null;
  readonly addedSnapshots: Set<number | bigint>;
  /** The properties of `metadata` once an update changes them. */
  ownProperties: Record<string, string> | null;
  readonly now: number;
};

/** A text field of an update, refused when it is missing. */
export function text(update: TableUpdate, field: string): string {
  const value = update[field];
  if (typeof value !== 'string' || value === '')
    throw new UpdateRejectedError(`"${field}" of ${update.action} must be a string.`);
  return value;
}

/** An integer field of an update, refused when it is missing. */
export function integer(update: TableUpdate, field: string): number {
  const value = update[field];
  if (!Number.isSafeInteger(value)) throw new UpdateRejectedError(`"${field}" of ${update.action} must be an integer.`);
  return value as number;
}

/** An object field of an update, refused when it is missing. */
export function object(update: TableUpdate, field: string): Readonly<Record<string, unknown>> {
  const value = update[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UpdateRejectedError(`"${field}" of ${update.action} must be an object.`);
  }
  return value as Readonly<Record<string, unknown>>;
}
