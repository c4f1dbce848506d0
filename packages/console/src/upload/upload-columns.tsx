import { useId } from 'react';
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

interface UploadColumnsProps {
  columns: readonly DraftColumn[];
  onChange: (columns: readonly DraftColumn[]) => void;
}

/** The columns of a file, whose names, types and nullability can be edited. */
export function UploadColumns({ columns, onChange }: UploadColumnsProps) {
  const types = useId();
  const change = (index: number, changed: Partial<DraftColumn>) =>
    onChange(columns.map((column, at) => (at === index ? { ...column, ...changed } : column)));
  return (
    <div className="card">
      <datalist id={types}>
        {TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <DataTable columns={['In the file', 'Column', 'Type', 'May be null']} className="upload-columns">
        {columns.map(({ source, name, type, nullable }, index) => (
          <tr key={source}>
            <td className="soft">
              <Name>{source}</Name>
            </td>
            <td>
              <input
                className="input"
                aria-label={`Name of ${visible(source)}`}
                maxLength={255}
                value={name}
                onChange={(event) => change(index, { name: event.target.value })}
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
                onChange={(event) => change(index, { type: event.target.value })}
              />
            </td>
            <td>
              <input
                type="checkbox"
                aria-label={`${visible(source)} may be null`}
                checked={nullable}
                onChange={(event) => change(index, { nullable: event.target.checked })}
              />
            </td>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
