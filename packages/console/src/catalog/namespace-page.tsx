import type { Namespace, Table } from '@svc/sdk/browser';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { Time } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count } from '../text/numbers.ts';
import { useFileDrop } from '../upload/use-file-drop.ts';
import { describeNamespaceCommand } from './comment-commands.ts';
import { catalogCrumb, namespaceCrumbs } from './crumbs.tsx';
import { DroppedTables } from './dropped-tables.tsx';
import { EditableText } from './editable-text.tsx';
import { NamespaceTable } from './namespace-table.tsx';
import { namespacesQuery, refreshCatalog, tablesQuery } from './queries.ts';

const NewTableTab = lazy(async () => ({ default: (await import('../upload/new-table-tab.tsx')).NewTableTab }));

const TITLES = { tables: 'Tables', dropped: 'Dropped tables', upload: 'Upload a file' } as const;

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

type Shown = keyof typeof TITLES;

/** What the tab shows. */
function Content({ env, namespace, shown }: NamespaceProps & { shown: Shown }) {
  const [dropped, setDropped] = useState<File | null>(null);
  const navigate = useNavigate({ from: '/$env/catalog/$namespace' });
  const receive = useCallback(
    (file: File) => {
      setDropped(file);
      void navigate({ search: { tab: 'upload' } });
    },
    [navigate],
  );
  useFileDrop(useCanCreate(env, namespace), receive);
  if (shown === 'dropped') return <DroppedTables env={env} namespace={namespace} />;
  if (shown === 'tables') return <Tables env={env} namespace={namespace} />;
  return (
    <Suspense fallback={<Loading />}>
      <NewTableTab env={env} namespace={namespace} dropped={dropped} onTaken={() => setDropped(null)} />
    </Suspense>
  );
}

const useCanCreate = (env: string, namespace: string): boolean =>
  useOwnPermission('CREATE_TABLE', { environment: env, namespace })?.allowed ?? false;

/** A namespace: the namespaces and tables in it, dropped tables that can be restored, and the upload of a new one. */
export function NamespacePage() {
  const { env, namespace } = useParams({ from: '/signed-in/$env/catalog/$namespace' });
  const { tab } = useSearch({ from: '/signed-in/$env/catalog/$namespace' });
  const shown = tab === 'dropped' || tab === 'upload' ? tab : 'tables';
  const creates = useCanCreate(env, namespace);
  const found = useQuery(namespacesQuery(env)).data?.find(({ path }) => path === namespace);
  useTitle(namespace, env);
  const params = { env, namespace };
  const tabs: Shown[] = creates || shown === 'upload' ? ['tables', 'dropped', 'upload'] : ['tables', 'dropped'];
  return (
    <div className="page">
      <PageHeader
        crumbs={[catalogCrumb(env), ...namespaceCrumbs(env, namespace).slice(0, -1)]}
        title={<Name>{namespace}</Name>}
        command={
          shown === 'upload'
            ? svcCommand('table load', [`${namespace}.TABLE`, 'FILE'], { env, create: true })
            : svcCommand('table list', namespace, { env, dropped: shown === 'dropped' })
        }
      >
        {found === undefined ? null : <Description env={env} namespace={found} />}
      </PageHeader>
      <Tabs label="Parts of the namespace">
        {tabs.map((each) => (
          <Link
            key={each}
            to="/$env/catalog/$namespace"
            params={params}
            search={each === 'tables' ? {} : { tab: each }}
            activeOptions={WHOLE_ADDRESS}
          >
            {TITLES[each]}
          </Link>
        ))}
      </Tabs>
      {shown === 'tables' ? <Nested env={env} namespace={namespace} /> : null}
      <section className="card" aria-label={TITLES[shown]}>
        <Content key={namespace} env={env} namespace={namespace} shown={shown} />
      </section>
    </div>
  );
}
