import type { Table } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { Badge } from '../design/badge.tsx';
import { Facts } from '../design/facts.tsx';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { Time } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count } from '../text/numbers.ts';
import { ColumnsTab } from './columns-tab.tsx';
import { describeTableCommand } from './comment-commands.ts';
import { catalogCrumb, namespaceCrumbs } from './crumbs.tsx';
import { EditableText } from './editable-text.tsx';
import { HealthTab } from './health-tab.tsx';
import { PreviewTab, previewSql } from './preview-tab.tsx';
import { batchesOf, measuresSql } from './profile-sql.ts';
import { storeTable, tableQuery } from './queries.ts';
import { SnapshotsTab } from './snapshots-tab.tsx';
import { useCanEdit } from './use-can-edit.ts';

const TableAccess = lazy(async () => ({ default: (await import('../access/table-access.tsx')).TableAccess }));

const ProfileTab = lazy(async () => ({ default: (await import('./profile-tab.tsx')).ProfileTab }));

const RetentionTab = lazy(async () => ({ default: (await import('./retention-tab.tsx')).RetentionTab }));

const LoadTab = lazy(async () => ({ default: (await import('../upload/load-tab.tsx')).LoadTab }));

const TABS = {
  columns: 'Columns',
  preview: 'Preview',
  profile: 'Profile',
  snapshots: 'Snapshots',
  health: 'Health',
  retention: 'Retention',
  definition: 'Definition',
  access: 'Access',
  load: 'Load a file',
};
type Tab = keyof typeof TABS;

/** The tabs that a table of this kind has. */
function tabsOf({ kind, view_sql }: Table): Tab[] {
  if (kind === 'artifact') return ['health', 'access'];
  const shared: Tab[] = ['columns', 'preview', 'profile'];
  if (kind === 'managed') return [...shared, 'snapshots', 'health', 'retention', 'access'];
  return view_sql === null ? [...shared, 'access'] : [...shared, 'definition', 'access'];
}

const factsOf = (table: Table): readonly (readonly [string, ReactNode])[] => [
  ['Rows', count(table.row_count)],
  ['Size', bytes(table.size_bytes)],
  ['Owner', table.owner === null ? '–' : <Name key="owner">{table.owner}</Name>],
  ['Updated', <Time key="updated" at={table.updated_at} />],
  ['Created', <Time key="created" at={table.created_at} />],
  ['Expires', table.expires_at === null ? 'never' : <Time key="expires" at={table.expires_at} />],
];

function TabContent({ env, table, tab }: { env: string; table: Table; tab: Tab }) {
  const name = `${table.namespace}.${table.name}`;
  if (tab === 'preview') return <PreviewTab env={env} table={table} />;
  if (tab === 'snapshots') return <SnapshotsTab env={env} table={name} />;
  if (tab === 'health') return <HealthTab env={env} table={name} />;
  if (tab === 'definition') return <pre className="code">{table.view_sql}</pre>;
  if (tab === 'profile') return <ProfileTab env={env} table={table} />;
  if (tab === 'retention') return <RetentionTab env={env} table={table} />;
  if (tab === 'access') return <TableAccess env={env} table={table} />;
  if (tab === 'load') return <LoadTab key={table.id} env={env} table={table} />;
  return <ColumnsTab env={env} table={table} />;
}

const VERBS: Partial<Record<Tab, string>> = { snapshots: 'history', health: 'health', retention: 'retention' };

interface ShownTab {
  tab: Tab | undefined;
  /** Whose view of the rows is shown; undefined for the caller's. */
  as: string | undefined;
}

/** The command that shows what the tab shows. */
function commandOf(env: string, table: Pick<Table, 'namespace' | 'name' | 'columns'>, { tab, as }: ShownTab): string {
  const name = `${table.namespace}.${table.name}`;
  if (tab === 'preview' && as !== undefined) return svcCommand('policy preview', name, { env, principal: as });
  if (tab === 'preview') return svcCommand('sql', previewSql(table), { env });
  if (tab === 'profile') return svcCommand('sql', measuresSql(table, batchesOf(table.columns)[0] ?? []), { env });
  const object = [env, table.namespace, table.name].join('/');
  if (tab === 'access') return svcCommand('access who', null, { action: 'READ_TABLE', scope: object });
  if (tab === 'load') return svcCommand('table load', [name, 'FILE'], { env });
  return svcCommand(`table ${VERBS[tab ?? 'columns'] ?? 'get'}`, name, { env });
}

function Loaded({ env, table, tab, as }: ShownTab & { env: string; table: Table }) {
  const { namespace, name } = table;
  const writes = useOwnPermission('WRITE_TABLE', { environment: env, namespace, table: name })?.allowed ?? false;
  const loads = table.kind === 'managed' && (writes || tab === 'load');
  const tabs = loads ? [...tabsOf(table), 'load' as const] : tabsOf(table);
  const shown = tabs.find((each) => each === tab) ?? tabs[0] ?? 'health';
  return (
    <>
      {table.hold === null ? null : (
        <p className="notice warn">
          <span>
            Legal hold: <Name>{table.hold.reason}</Name>. Neither a purge nor retention deletes its files.
          </span>
        </p>
      )}
      <Facts facts={factsOf(table)} />
      <Tabs label="Parts of the table">
        {tabs.map((each) => (
          <Link
            key={each}
            to="/$env/catalog/$namespace/$table"
            params={{ env, namespace, table: name }}
            search={each === tabs[0] ? {} : { tab: each, as: each === 'preview' ? as : undefined }}
            activeOptions={WHOLE_ADDRESS}
          >
            {TABS[each]}
          </Link>
        ))}
      </Tabs>
      <section className="card" aria-label={TABS[shown]}>
        <Suspense fallback={<Loading />}>
          <TabContent env={env} table={table} tab={shown} />
        </Suspense>
      </section>
    </>
  );
}

function Actions({ env, table: { namespace, name, kind } }: { env: string; table: Table }) {
  return (
    <>
      <Link
        to="/$env/lineage/$namespace/$table"
        params={{ env, namespace, table: name }}
        search={{}}
        className="button"
      >
        <Icon name="lineage" /> Lineage
      </Link>
      {kind === 'artifact' ? null : (
        <Link to="/$env/sql" params={{ env }} search={{ table: `${namespace}.${name}` }} className="button">
          <Icon name="sql" /> Query
        </Link>
      )}
    </>
  );
}

function Description({ env, table }: { env: string; table: Table }) {
  const { namespace, name } = table;
  return (
    <EditableText
      env={env}
      noun="description"
      of={`${namespace}.${name}`}
      value={table.description}
      canEdit={useCanEdit(env, table)}
      commandOf={(change) => describeTableCommand({ env, namespace, table: name }, change)}
      save={async ({ text, breakGlass }) => {
        const changed = await svc.tables.update(env, `${namespace}.${name}`, { description: text }, { breakGlass });
        storeTable(env, changed);
      }}
    />
  );
}

/** A table, view or artifact: its columns, first rows, snapshots and health. */
export function TablePage() {
  const { env, namespace, table } = useParams({ from: '/signed-in/$env/catalog/$namespace/$table' });
  const { tab, as } = useSearch({ from: '/signed-in/$env/catalog/$namespace/$table' });
  const name = `${namespace}.${table}`;
  const { data, error, refetch } = useQuery(tableQuery(env, name));
  useTitle(name, env);
  const known = (Object.keys(TABS) as Tab[]).find((each) => each === tab);
  return (
    <div className="page">
      <PageHeader
        crumbs={[catalogCrumb(env), ...namespaceCrumbs(env, namespace)]}
        title={<Name>{table}</Name>}
        badges={data === undefined ? null : <Badge>{data.kind}</Badge>}
        actions={data === undefined ? undefined : <Actions env={env} table={data} />}
        command={commandOf(env, data ?? { namespace, name: table, columns: [] }, { tab: known, as })}
      >
        {data === undefined ? null : <Description env={env} table={data} />}
      </PageHeader>
      {error !== null ? (
        <div className="card">
          <ErrorState error={error} retry={refetch} />
        </div>
      ) : data === undefined ? (
        <div className="card">
          <Loading />
        </div>
      ) : (
        <Loaded env={env} table={data} tab={known} as={as} />
      )}
    </div>
  );
}
