import type { ColumnMask, RowFilter, Table } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { sessionQuery } from '../session/session.ts';
import { Holders } from './by-object-tab.tsx';
import { Chain } from './chain.tsx';
import { chainSteps } from './chain-steps.ts';
import { permissionsQuery } from './queries.ts';
import { granteeText } from './revoke-dialog.tsx';
import { useOwnPermission } from './use-own-permission.ts';
import './access.css';

const policiesQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['access', 'policies', env, table],
    queryFn: async ({ signal }) => {
      const [filters, masks] = await Promise.all([
        svc.rowFilters.list(env, table, { signal }),
        svc.columnMasks.list(env, table, { signal }),
      ]);
      return { filters, masks };
    },
  });

function PolicyTable({ filters, masks }: { filters: readonly RowFilter[]; masks: readonly ColumnMask[] }) {
  if (filters.length + masks.length === 0)
    return <p className="soft stack padded">No policies: everyone who can read the table sees all rows and columns.</p>;
  return (
    <DataTable columns={['For', 'Policy', 'Expression']}>
      {filters.map((filter) => (
        <tr key={filter.id}>
          <td>
            <Name>{granteeText(filter)}</Name>
          </td>
          <td>row filter</td>
          <td className="mono">
            <Name>{filter.predicate}</Name>
          </td>
        </tr>
      ))}
      {masks.map((mask) => (
        <tr key={mask.id}>
          <td>
            <Name>{granteeText(mask)}</Name>
          </td>
          <td>
            mask of <Name>{mask.column}</Name>
          </td>
          <td className="mono">
            <Name>{mask.expression}</Name>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Policies({ env, table }: { env: string; table: string }) {
  const { data, error, refetch } = useQuery(policiesQuery(env, table));
  if (data === undefined) return error === null ? <Loading rows={2} /> : <ErrorState error={error} retry={refetch} />;
  return <PolicyTable {...data} />;
}

/** What the signed-in principal can do with the table: every principal may know that of itself. */
function Own({ object }: { object: { environment: string; namespace: string; table: string } }) {
  const self = useQuery(sessionQuery).data?.principal.name ?? '';
  const { data, error, refetch } = useQuery(permissionsQuery(self, object));
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  return (
    <DataTable columns={['Action', ['Why', 'wide-only']]} className="chains">
      {data.permissions
        .filter(({ allowed }) => allowed)
        .map(({ action, via }) => (
          <tr key={action}>
            <td className="mono">{action}</td>
            <td className="wide-only">
              {via.map((each) => (
                <Chain key={each.grant_id} steps={chainSteps(self, each, action).slice(1)} />
              ))}
            </td>
          </tr>
        ))}
    </DataTable>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack" aria-label={title}>
      <h2 className="access-title">{title}</h2>
      {children}
    </section>
  );
}

/** Who can read a table, what they see of it, and what the signed-in principal can do with it. */
export function TableAccess({ env, table: { namespace, name } }: { env: string; table: Table }) {
  const object = { environment: env, namespace, table: name };
  const seesOthers = useOwnPermission('MANAGE_GRANT', {})?.allowed ?? false;
  const seesPolicies = useOwnPermission('MANAGE_POLICY', {})?.allowed ?? false;
  return (
    <>
      <Part title="What you can do">
        <Own object={object} />
      </Part>
      {seesOthers ? (
        <Part title="Who can read it">
          <Holders action="READ_TABLE" object={object} />
        </Part>
      ) : null}
      {seesPolicies ? (
        <Part title="Row filters and column masks">
          <Policies env={env} table={`${namespace}.${name}`} />
        </Part>
      ) : null}
      <p className="toolbar soft">
        <Link
          to="/$env/access"
          params={{ env }}
          search={{ tab: 'explain', kind: 'TABLE', namespace, table: name }}
          className="link"
        >
          Explain a permission
        </Link>
        {', or see '}
        <Link to="/$env/audit" params={{ env }} search={{ namespace, table: name }} className="link">
          its audit events
        </Link>
        .
      </p>
    </>
  );
}
