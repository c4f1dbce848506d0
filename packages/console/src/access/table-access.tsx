import type { Table } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { sessionQuery } from '../session/session.ts';
import { Holders } from './by-object-tab.tsx';
import { Chain } from './chain.tsx';
import { chainSteps } from './chain-steps.ts';
import { Policies } from './policies/policies.tsx';
import { permissionsQuery } from './queries.ts';
import { useOwnPermission } from './use-own-permission.ts';
import './access.css';

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
export function TableAccess({ env, table }: { env: string; table: Table }) {
  const { namespace, name, kind } = table;
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
      {seesPolicies && kind !== 'artifact' ? (
        <Part title="Row filters and column masks">
          <Policies env={env} table={table} />
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
