import type { Namespace, Table } from '@svc/sdk/browser';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { WHOLE_ADDRESS } from '../design/tabs.ts';
import { Time } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count } from '../text/numbers.ts';
import { describeNamespaceCommand } from './comment-commands.ts';
import { catalogCrumb, namespaceCrumbs } from './crumbs.tsx';
import { DroppedTables } from './dropped-tables.tsx';
import { EditableText } from './editable-text.tsx';
import { NamespaceTable } from './namespace-table.tsx';
import { namespacesQuery, refreshCatalog, tablesQuery } from './queries.ts';

interface NamespaceProps {
  env: string;
  namespace: string;
}

function TableRow({ env, table }: { env: string; table: Table }) {
  const params = { env, namespace: table.namespace, table: table.name };
  return (
    <tr className="linked">
      <td>
        <Link to="/$env/catalog/$namespace/$table" params={params} search={{}} className="row rowlink">
          <Icon name="table" />
          <Name>{table.name}</Name>
        </Link>
      </td>
      <td className="fit">
        <span className="row">
          <Badge>{table.kind}</Badge>
          {table.expires_soon ? <Badge tone="warn">expires soon</Badge> : null}
        </span>
      </td>
      <td className="end">{count(table.row_count)}</td>
      <td className="end wide-only">{bytes(table.size_bytes)}</td>
      <td className="soft wide-only">{table.description === null ? null : <Name>{table.description}</Name>}</td>
      <td className="end soft wide-only">
        <Time at={table.updated_at} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Table',
  'Kind',
  ['Rows', 'end'],
  ['Size', 'end wide-only'],
  ['Description', 'wide-only'],
  ['Updated', 'end wide-only'],
] as const;

function Tables({ env, namespace }: NamespaceProps) {
  const query = useInfiniteQuery(tablesQuery(env, namespace));
  const { data, error, refetch } = query;
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const tables = data.pages.flatMap(({ items }) => items);
  if (tables.length === 0)
    return (
      <Empty
        icon="table"
        title="No tables yet"
        command={`${svcCommand('table load', `${namespace}.orders`, { env, create: true })} orders.csv`}
      >
        Load a file: svc infers the columns and creates the table.
      </Empty>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {tables.map((table) => (
          <TableRow key={table.id} env={env} table={table} />
        ))}
      </DataTable>
      <LoadMore query={query} />
    </>
  );
}

/** The namespaces inside this one. */
function Nested({ env, namespace }: NamespaceProps) {
  const { data } = useQuery(namespacesQuery(env));
  const nested = data?.filter(({ path }) => path.startsWith(`${namespace}.`)) ?? [];
  if (nested.length === 0) return null;
  return (
    <section className="card" aria-label="Nested namespaces">
      <NamespaceTable env={env} namespaces={nested} within={namespace} />
    </section>
  );
}

function Description({ env, namespace: { path, description } }: { env: string; namespace: Namespace }) {
  const canEdit = useOwnPermission('MANAGE_NAMESPACE', { environment: env, namespace: path })?.allowed ?? false;
  return (
    <EditableText
      env={env}
      noun="description"
      of={path}
      value={description}
      canEdit={canEdit}
      commandOf={(change) => describeNamespaceCommand(env, path, change)}
      save={async ({ text, breakGlass }) => {
        await svc.namespaces.update(env, path, { description: text }, { breakGlass });
        await refreshCatalog(env);
      }}
    />
  );
}

/** A namespace: the namespaces and tables in it, and dropped tables that can be restored. */
export function NamespacePage() {
  const { env, namespace } = useParams({ from: '/signed-in/$env/catalog/$namespace' });
  const { tab } = useSearch({ from: '/signed-in/$env/catalog/$namespace' });
  const isDropped = tab === 'dropped';
  const found = useQuery(namespacesQuery(env)).data?.find(({ path }) => path === namespace);
  useTitle(namespace, env);
  const params = { env, namespace };
  return (
    <div className="page">
      <PageHeader
        crumbs={[catalogCrumb(env), ...namespaceCrumbs(env, namespace).slice(0, -1)]}
        title={<Name>{namespace}</Name>}
        command={svcCommand('table list', namespace, { env, dropped: isDropped })}
      >
        {found === undefined ? null : <Description env={env} namespace={found} />}
      </PageHeader>
      <nav className="tabs" aria-label="Parts of the namespace">
        <Link to="/$env/catalog/$namespace" params={params} search={{}} activeOptions={WHOLE_ADDRESS}>
          Tables
        </Link>
        <Link to="/$env/catalog/$namespace" params={params} search={{ tab: 'dropped' }} activeOptions={WHOLE_ADDRESS}>
          Dropped tables
        </Link>
      </nav>
      {isDropped ? null : <Nested env={env} namespace={namespace} />}
      <section className="card" aria-label={isDropped ? 'Dropped tables' : 'Tables'}>
        {isDropped ? <DroppedTables env={env} namespace={namespace} /> : <Tables env={env} namespace={namespace} />}
      </section>
    </div>
  );
}
