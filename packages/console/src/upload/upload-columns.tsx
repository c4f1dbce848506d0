import { memo, useCallback, useId } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { visible } from '../text/visible.ts';
import type { DraftColumn } from './upload-file.ts';

const TYPES = [
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'decimal(18,2)',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'string',
  'uuid',
  'binary',
];

interface ColumnRowProps {
  column: DraftColumn;
  index: number;
  /** The id of the list of types. */
  types: string;
  onChange: (index: number, changed: Partial<DraftColumn>) => void;
}

/** Only the row that is edited is rendered again: a file can have thousands of columns. */
const ColumnRow = memo(({ column, index, types, onChange }: ColumnRowProps) => {
  const { source, name, type, nullable } = column;
  return (
    <tr>
      <td className="soft">
        <Name>{source}</Name>
      </td>
      <td>
        <input
          className="input"
          aria-label={`Name of ${visible(source)}`}
          maxLength={255}
          value={name}
          onChange={(event) => onChange(index, { name: event.target.value })}
        />
      </td>
      <td>
        <input
          className="input mono"
          aria-label={`Type of ${visible(source)}`}
          list={types}
          required
          spellCheck={false}
          value={type}
          onChange={(event) => onChange(index, { type: event.target.value })}
        />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${visible(source)} may be null`}
          checked={nullable}
          onChange={(event) => onChange(index, { nullable: event.target.checked })}
        />
      </td>
    </tr>
  );
});

interface UploadColumnsProps {
  columns: readonly DraftColumn[];
  onChange: (change: (columns: readonly DraftColumn[]) => readonly DraftColumn[]) => void;
}

/** The columns of a file, whose names, types and nullability can be edited. */
export function UploadColumns({ columns, onChange }: UploadColumnsProps) {
  const types = useId();
  const change = useCallback(
    (index: number, changed: Partial<DraftColumn>) =>
      onChange((all) => all.map((column, at) => (at === index ? { ...column, ...changed } : column))),
    [onChange],
  );
  return (
    <div className="card">
      <datalist id={types}>
        {TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <DataTable columns={['In the file', 'Column', 'Type', 'May be null']} className="upload-columns">
        {columns.map((column, index) => (
          <ColumnRow key={column.source} column={column} index={index} types={types} onChange={change} />
        ))}
      </DataTable>
    </div>
  );
}
