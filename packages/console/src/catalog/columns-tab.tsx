import type { Column } from '@svc/sdk/browser';
import { useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty } from '../design/states.tsx';

/** More columns than this are easier to filter than to read. */
const FILTER_FROM = 12;

/** The columns of a table with their types and comments. */
export function ColumnsTab({ columns, identifiers }: { columns: readonly Column[]; identifiers: readonly string[] }) {
  const [filter, setFilter] = useState('');
  const text = filter.trim().toLowerCase();
  const shown = columns.filter(({ name, type, description }) =>
    `${name}\n${type}\n${description ?? ''}`.toLowerCase().includes(text),
  );
  return (
    <>
      {columns.length < FILTER_FROM ? null : (
        <div className="row toolbar">
          <SearchBox label={`Filter ${columns.length} columns`} value={filter} onChange={setFilter} />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty icon="column" title={columns.length === 0 ? 'No columns' : 'No column matches'} />
      ) : (
        <ColumnTable columns={shown} identifiers={identifiers} />
      )}
    </>
  );
}

function ColumnTable({ columns, identifiers }: { columns: readonly Column[]; identifiers: readonly string[] }) {
  return (
    <DataTable columns={['Column', 'Type', 'Comment']}>
      {columns.map(({ name, type, nullable, description }) => (
        <tr key={name}>
          <td>
            <span className="row">
              <Name>{name}</Name>
              {identifiers.includes(name) ? <Badge tone="info">identifier</Badge> : null}
              {nullable ? null : <Badge>required</Badge>}
            </span>
          </td>
          <td className="mono soft type">
            <Name>{type}</Name>
          </td>
          <td className="soft">{description === null ? null : <Name>{description}</Name>}</td>
        </tr>
      ))}
    </DataTable>
  );
}
