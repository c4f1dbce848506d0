import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { IcebergType } from '../metadata/metadata.ts';

/** A partition or sort transform of the Iceberg specification. `bucket` and `truncate` carry their number. */
export type Transform =
  | { readonly kind: 'identity' | 'void' | 'year' | 'month' | 'day' | 'hour' }
  | { readonly kind: 'bucket'; readonly buckets: number }
  | { readonly kind: 'truncate'; readonly width: number };

const PLAIN = new Set(['identity', 'void', 'year', 'month', 'day', 'hour']);

/** Null for an unsupported transform: such a table can be read, but not written. */
export function parseTransform(text: string): Transform | null {
  if (PLAIN.has(text)) return { kind: text as 'identity' };
  const match = /^(bucket|truncate)\[(\d{1,9})\]$/.exec(text);
  const number = Number(match?.[2]);
  if (!match || number < 1 || number > 2 ** 31 - 1) return null;
  return match[1] === 'bucket' ? { kind: 'bucket', buckets: number } : { kind: 'truncate', width: number };
}

/** @throws UnsupportedTableError naming the transform */
export function knownTransform(text: string): Transform {
  const transform = parseTransform(text);
  if (transform) return transform;
  throw new UnsupportedTableError(
    `The table is partitioned or sorted by the transform "${text.slice(0, 60)}", which svc doesn't support. Write to it with the engine that created it.`,
  );
}

/** The result type of the transform for a source of this type. */
export function resultType(transform: Transform, source: IcebergType): IcebergType {
  if (transform.kind === 'day') return 'date';
  return ['bucket', 'year', 'month', 'hour'].includes(transform.kind) ? 'int' : source;
}
