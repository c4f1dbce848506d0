import { usageError } from '../cli-error.ts';
import type { TableColumn } from './table.ts';

/** `next run` is `next-run` on the command line. */
const nameOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** The columns with these names, separated by commas, in this order. @throws CliError for an unknown name */
export function chooseColumns<R>(columns: readonly TableColumn<R>[], names: string): TableColumn<R>[] {
  return names.split(',').map((name) => {
    const column = columns.find(({ header }) => nameOf(header) === nameOf(name));
    if (column !== undefined) return { ...column, chosen: true };
    const available = columns.map(({ header }) => nameOf(header)).join(', ');
    throw usageError(`Unknown column "${name}" for --columns. Available columns: ${available}.`);
  });
}
