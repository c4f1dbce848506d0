import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Filter } from '../design/filter.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { PERIODS, type RunListFilters, runsQuery } from './queries.ts';
import { RunRows, TRIGGERS } from './run-rows.tsx';
import './runs.css';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];

function Filters({ filters, onChange }: { filters: RunListFilters; onChange: (changed: RunListFilters) => void }) {
  const { status, trigger, since, job, repository } = filters;
  const names = [
    ['job', job],
    ['repository', repository],
  ] as const;
  return (
    <search className="row" aria-label="Filters">
      <Filter
        label="Status"
        value={status}
        choices={STATUSES.map((each) => [each, each])}
        onChange={(changed) => onChange({ status: changed })}
      />
      <Filter
        label="Trigger"
        value={trigger}
        choices={Object.entries(TRIGGERS)}
        onChange={(changed) => onChange({ trigger: changed })}
      />
      <Filter
        label="Time"
        value={since}
        choices={Object.entries(PERIODS)}
        onChange={(changed) => onChange({ since: changed })}
      />
      {names.map(([key, name]) =>
        name === undefined ? null : (
          <button key={key} type="button" className="button" onClick={() => onChange({ [key]: undefined })}>
            {key}: <Name>{name}</Name> <span aria-hidden="true">×</span>
            <span className="hidden">(remove this filter)</span>
          </button>
        ),
      )}
    </search>
  );
}

function RunTable({ env, filters, onClear }: { env: string; filters: RunListFilters; onClear: () => void }) {
  const query = useInfiniteQuery(runsQuery(env, filters));
  const { data, error, refetch } = query;
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  const runs = data.pages.flatMap(({ items }) => items);
  if (runs.length === 0 && Object.values(filters).some((value) => value !== undefined))
    return (
      <Empty icon="runs" title="No run matches">
        <button type="button" className="button" onClick={onClear}>
          Remove the filters
        </button>
      </Empty>
    );
  if (runs.length === 0)
    return (
      <Empty icon="runs" title="No runs yet" command={svcCommand('run', null, { repo: 'shop', env })}>
        A run builds the assets of a deployed project. Deploy one with svc deploy, then start a run.
      </Empty>
    );
  return (
    <>
      {error === null ? null : (
        <div className="toolbar soft" role="status">
          The list isn't up to date: {error.message}
        </div>
      )}
      <RunRows env={env} runs={runs} />
      <LoadMore query={query} />
    </>
  );
}

/** The runs of an environment, newest first. */
export function RunsPage() {
  const { env } = useParams({ from: '/signed-in/$env/runs' });
  const filters = useSearch({ from: '/signed-in/$env/runs' });
  const navigate = useNavigate({ from: '/$env/runs' });
  useTitle('Runs', env);
  const change = (changed: RunListFilters) => void navigate({ search: { ...filters, ...changed } });
  const { repository: repo, ...others } = filters;
  return (
    <div className="page">
      <PageHeader title="Runs" command={svcCommand('runs list', null, { env, ...others, repo })} />
      <Filters filters={filters} onChange={change} />
      <section className="card" aria-label="Runs">
        <RunTable env={env} filters={filters} onClear={() => void navigate({ search: {} })} />
      </section>
    </div>
  );
}
