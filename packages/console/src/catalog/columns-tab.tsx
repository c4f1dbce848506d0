import type { Column, Table } from '@svc/sdk/browser';
import { useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { describeColumnCommand } from './comment-commands.ts';
import { EditableText } from './editable-text.tsx';
import { storeTable } from './queries.ts';
import { useCanEdit } from './use-can-edit.ts';

/** More columns than this are easier to filter than to read. */
const FILTER_FROM = 12;

interface ColumnsProps {
  env: string;
  table: Table;
}

/** The columns of a table with their types and comments, which can be edited. */
export function ColumnsTab({ env, table }: ColumnsProps) {
  const { columns } = table;
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
        <ColumnTable env={env} table={table} columns={shown} />
      )}
    </>
  );
}

function ColumnTable({ env, table, columns }: ColumnsProps & { columns: readonly Column[] }) {
  const canEdit = useCanEdit(env, table);
  return (
    <DataTable columns={['Column', 'Type', 'Comment']}>
      {columns.map(({ name, type, nullable, description }) => (
        <tr key={name}>
          <td>
            <span className="row">
              <Name>{name}</Name>
              {table.identifier_fields.includes(name) ? <Badge tone="info">identifier</Badge> : null}
              {nullable ? null : <Badge>required</Badge>}
            </span>
          </td>
          <td className="mono soft type">
            <Name>{type}</Name>
          </td>
          <td>
            <ColumnComment env={env} table={table} column={name} value={description} canEdit={canEdit} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

interface ColumnCommentProps extends ColumnsProps {
  column: string;
  value: string | null;
  canEdit: boolean;
}

function ColumnComment({ env, table, column, value, canEdit }: ColumnCommentProps) {
  const { namespace, name } = table;
  return (
    <EditableText
      env={env}
      noun="comment"
      of={column}
      value={value}
      canEdit={canEdit}
      commandOf={(change) => describeColumnCommand({ env, namespace, table: name }, column, change)}
      save={async ({ text, breakGlass }) => {
        const body = { column_descriptions: { [column]: text } };
        storeTable(env, await svc.tables.update(env, `${namespace}.${name}`, body, { breakGlass }));
      }}
    />
  );
}
