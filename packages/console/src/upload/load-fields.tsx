import type { LoadFormat, Table } from '@svc/sdk/browser';
import { Name } from '../design/name.tsx';
import { Options } from '../design/options.tsx';
import { visible } from '../text/visible.ts';
import type { LoadChoice } from './upload-file.ts';

const MODES = {
  append: 'Add the rows',
  replace: 'Replace all rows',
  merge: 'Update rows with the same key, add the others',
} as const;

interface LoadFieldsProps {
  table: Table;
  format: LoadFormat;
  value: LoadChoice;
  onChange: (value: LoadChoice) => void;
}

/** How a file changes the rows of a table. */
export function LoadFields({ table, format, value, onChange }: LoadFieldsProps) {
  const { mode, key, skips } = value;
  return (
    <>
      <div className="field">
        <label htmlFor="load-mode">Rows of the table</label>
        <select
          id="load-mode"
          className="select upload-name"
          value={mode}
          onChange={(event) => onChange({ ...value, mode: event.target.value as LoadChoice['mode'] })}
        >
          <Options of={Object.entries(MODES)} />
        </select>
        <p className="hint">Columns match by name. If a line can't be loaded, the table stays as it is.</p>
      </div>
      {mode === 'merge' ? (
        <KeyColumns table={table} value={key} onChange={(each) => onChange({ ...value, key: each })} />
      ) : null}
      {format === 'parquet' ? null : (
        <label className="row">
          <input
            type="checkbox"
            checked={skips}
            onChange={(event) => onChange({ ...value, skips: event.target.checked })}
          />
          Leave out up to 1,000 lines that can't be loaded
        </label>
      )}
    </>
  );
}

interface KeyColumnsProps {
  table: Table;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

function KeyColumns({ table: { columns, identifier_fields: identifiers }, value, onChange }: KeyColumnsProps) {
  return (
    <fieldset className="field upload-fields">
      <legend className="label">Key</legend>
      <p className="hint">
        {identifiers.length === 0 ? (
          'Select the columns that identify a row.'
        ) : (
          <>
            If you select no column, a row is identified by <Name>{identifiers.join(', ')}</Name>.
          </>
        )}
      </p>
      <div className="key-columns">
        {columns.map(({ name }) => (
          <label key={name} className="row">
            <input
              type="checkbox"
              aria-label={visible(name)}
              checked={value.includes(name)}
              onChange={(event) =>
                onChange(event.target.checked ? [...value, name] : value.filter((each) => each !== name))
              }
            />
            <Name>{name}</Name>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
