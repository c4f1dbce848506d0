import type { EnvironmentSummary } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../design/facts.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count } from '../text/numbers.ts';
import { Attention } from './attention.tsx';
import { NextStarts } from './next-starts.tsx';
import { summaryQuery } from './queries.ts';
import { DroppedLately, ExpiringSoon, RecentTables } from './tables.tsx';
import './home.css';

const DAY = '24h';

/** The state of the environment in a few numbers, each with the page that has more. */
function factsOf(env: string, { runs, quotas, tables, workers }: EnvironmentSummary): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [];
  const runsLink = (status: string, since: string | undefined, text: string) => (
    <Link to="/$env/runs" params={{ env }} search={{ view: 'list', status, since }} className="link">
      {text}
    </Link>
  );
  if (runs !== null) {
    const active = `${count(runs.running)} running, ${count(runs.queued)} queued`;
    facts.push(['Active runs', runsLink('queued,running', undefined, active)]);
    facts.push(['Succeeded (24 h)', runsLink('succeeded', DAY, count(runs.succeeded))]);
    facts.push(['Failed (24 h)', runsLink('failed', DAY, count(runs.failed))]);
  }
  if (quotas !== null) {
    const { concurrent_queries: queries, storage_bytes: storage } = quotas;
    facts.push(['Queries', `${count(queries.used)} running, ${count(queries.waiting)} waiting`]);
    facts.push([
      'Storage',
      storage.limit === null ? bytes(storage.used) : `${bytes(storage.used)} of ${bytes(storage.limit)}`,
    ]);
  }
  facts.push([
    'Tables',
    <Link key="tables" to="/$env/catalog" params={{ env }} search={{}} className="link">
      {count(tables)}
    </Link>,
  ]);
  if (workers !== null) facts.push(['Workers', count(workers)]);
  return facts;
}

const isEmpty = ({ tables, runs }: EnvironmentSummary): boolean =>
  tables === 0 && (runs === null || Object.values(runs).every((number) => number === 0));

function FirstSteps({ env }: { env: string }) {
  return (
    <div className="card">
      <Empty
        icon="catalog"
        title="Nothing here yet"
        command={svcCommand('table create', 'sales.orders', { from: 'orders.csv', env })}
      >
        Create a table from a file, or deploy a project with svc deploy. What you can read appears here.
      </Empty>
    </div>
  );
}

function Loaded({ env, summary }: { env: string; summary: EnvironmentSummary }) {
  const { recent_tables: recent, expiring_tables: expiring, dropped_tables: dropped } = summary;
  return (
    <>
      <Facts facts={factsOf(env, summary)} />
      {isEmpty(summary) ? <FirstSteps env={env} /> : null}
      <div className="home-cards">
        {summary.runs === null ? null : <Attention env={env} />}
        {summary.runs === null ? null : <NextStarts env={env} />}
        {recent.length === 0 ? null : <RecentTables env={env} tables={recent} />}
        {expiring.length === 0 ? null : <ExpiringSoon env={env} tables={expiring} />}
        {dropped.length === 0 ? null : <DroppedLately env={env} tables={dropped} />}
      </div>
    </>
  );
}

/** An environment at a glance: what runs, what failed, what starts next, and the tables that need attention. */
export function HomePage() {
  const { env } = useParams({ from: '/signed-in/$env/' });
  const { data, error, refetch } = useQuery(summaryQuery(env));
  useTitle('Home', env);
  return (
    <div className="page">
      <PageHeader title="Home" command={svcCommand('env summary', env, {})} />
      {data !== undefined ? (
        <Loaded env={env} summary={data} />
      ) : (
        <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>
      )}
    </div>
  );
}
