import type { Table } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { tableTarget } from '../../catalog/table-target.ts';
import { ACTIONS, DataTable } from '../../design/data-table.tsx';
import { Name } from '../../design/name.tsx';
import { ErrorState, Loading } from '../../design/states.tsx';
import { svc } from '../../service/client.ts';
import { granteeText } from '../revoke-dialog.tsx';
import { type Policy, type PolicyKind, policiesOf } from './policy.ts';
import { PolicyDialog } from './policy-dialog.tsx';
import { RemovePolicyDialog } from './remove-policy-dialog.tsx';

const policiesQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['access', 'policies', env, table],
    queryFn: async ({ signal }) => {
      const [filters, masks] = await Promise.all([
        svc.rowFilters.list(env, table, { signal }),
        svc.columnMasks.list(env, table, { signal }),
      ]);
      return policiesOf(filters, masks);
    },
  });

interface RowProps {
  env: string;
  table: Table;
  policy: Policy;
  onChange: () => void;
  onRemove: () => void;
}

function PolicyRow({ env, table, policy, onChange, onRemove }: RowProps) {
  const { kind, column, expression } = policy;
  const target = granteeText(policy);
  const what = kind === 'filter' ? 'row filter' : `mask of ${column}`;
  return (
    <tr>
      <td>
        <Name>{target}</Name>
      </td>
      <td>
        <Name>{what}</Name>
      </td>
      <td className="mono">
        <Name>{expression}</Name>
      </td>
      <td className="fit">
        <div className="row nowrap policy-actions">
          {policy.principal === null ? null : (
            <Link
              {...tableTarget(env, `${table.namespace}.${table.name}`)}
              search={{ tab: 'preview', as: policy.principal }}
              className="button small"
            >
              View as
              <span className="hidden">
                {' '}
                <Name>{policy.principal}</Name>
              </span>
            </Link>
          )}
          <button type="button" className="button small" onClick={onChange}>
            Change
            <span className="hidden">
              {' '}
              <Name>{`${what} for ${target}`}</Name>
            </span>
          </button>
          <button type="button" className="button small" onClick={onRemove}>
            Remove
            <span className="hidden">
              {' '}
              <Name>{`${what} for ${target}`}</Name>
            </span>
          </button>
        </div>
      </td>
    </tr>
  );
}

interface Dialogs {
  readonly kind: PolicyKind;
  readonly changed: Policy | null;
}

/** The row filters and column masks of a table, and the way to change them. */
export function Policies({ env, table }: { env: string; table: Table }) {
  const { data, error, refetch } = useQuery(policiesQuery(env, `${table.namespace}.${table.name}`));
  const [edited, setEdited] = useState<Dialogs | null>(null);
  const [removed, setRemoved] = useState<Policy | null>(null);
  if (data === undefined) return error === null ? <Loading rows={2} /> : <ErrorState error={error} retry={refetch} />;
  const closeEdited = () => setEdited(null);
  return (
    <>
      {data.length === 0 ? (
        <p className="soft toolbar">No policies: everyone who can read the table sees all rows and columns.</p>
      ) : (
        <DataTable columns={['For', 'Policy', 'Expression', ACTIONS]}>
          {data.map((policy) => (
            <PolicyRow
              key={policy.id}
              env={env}
              table={table}
              policy={policy}
              onChange={() => setEdited({ kind: policy.kind, changed: policy })}
              onRemove={() => setRemoved(policy)}
            />
          ))}
        </DataTable>
      )}
      <div className="row toolbar">
        <button type="button" className="button" onClick={() => setEdited({ kind: 'filter', changed: null })}>
          Filter rows …
        </button>
        <button type="button" className="button" onClick={() => setEdited({ kind: 'mask', changed: null })}>
          Mask a column …
        </button>
      </div>
      {edited === null ? null : <PolicyDialog env={env} table={table} {...edited} onClose={closeEdited} />}
      {removed === null ? null : <RemovePolicyDialog policy={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}
