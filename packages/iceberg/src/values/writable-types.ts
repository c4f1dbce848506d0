import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { IcebergField, IcebergType } from '../metadata/metadata.ts';

/**
 * Checks that rows with these fields can be written so that every engine can read them. Values of `fixed[n]` would be
 * written as bytes of any length, which some readers reject.
 *
 * @throws UnsupportedTableError naming the column
 */
export function requireWritable(fields: readonly IcebergField[]): void {
  const found = fields.find(({ type }) => containsFixed(type));
  if (found === undefined) return;
  throw new UnsupportedTableError(
    `The column "${found.name}" has the type fixed[n], which svc can read but not write.`,
  );
}

function containsFixed(type: IcebergType): boolean {
  if (typeof type === 'string') return type.startsWith('fixed');
  if (type.type === 'struct') return type.fields.some((field) => containsFixed(field.type));
  return type.type === 'list' ? containsFixed(type.element) : containsFixed(type.key) || containsFixed(type.value);
}
