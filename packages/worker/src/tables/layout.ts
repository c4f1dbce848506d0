import type { Failure } from '@svc/core/errors';
import {
  type IcebergField,
  requireWritable,
  type TableMetadata,
  UnsupportedTableError,
  type WriteLayout,
  writeLayout,
} from '@svc/iceberg';
import { failure } from '../work/failures.ts';

/** Returns the layout for new rows with these fields, or why they can't be written. */
export function layoutFor(metadata: TableMetadata, fields: readonly IcebergField[]): WriteLayout | Failure {
  try {
    requireWritable(fields);
    return writeLayout(metadata, fields);
  } catch (error) {
    if (!(error instanceof UnsupportedTableError)) throw error;
    return failure('execution-error', error.message, 'Write to it with the engine that created it.');
  }
}
