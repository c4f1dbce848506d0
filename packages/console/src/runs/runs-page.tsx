import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../design/page-header.tsx';
import { Tabs } from '../design/tabs.tsx';
import { useNow } from '../design/use-now.ts';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import type { RunListFilters } from './queries.ts';
import { RunFilters } from './run-filters.tsx';
import { RunList } from './run-list.tsx';
import { PeriodControls } from './timeline/period-controls.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { usePeriod } from './timeline/use-period.ts';
import './runs.css';

interface PartProps {
  env: string;
  filters: RunListFilters;
  onChange: (changed: RunListFilters) => void;
  onClear: () => void;
}

function TimelinePart({ env, filters, onChange, onClear }: PartProps) {
  const shown = usePeriod(useNow(60_000));
  const { since: _, until: __, ...others } = filters;
  return (
    <>
      <div className="row spread">
        <RunFilters filters={others} onChange={onChange} />
        <PeriodControls shown={shown} />
      </div>
      <section className="card" aria-label="Runs over time">
        <Timeline env={env} filters={others} shown={shown} onClear={onClear} />
      </section>
    </>
  );
}

function ListPart({ env, filters, onChange, onClear }: PartProps) {
  return (
    <>
      <RunFilters filters={filters} onChange={onChange} hasTime />
      <section className="card" aria-label="Runs">
        <RunList env={env} filters={filters} onClear={onClear} />
      </section>
    </>
  );
}

/** The runs of an environment, over time or as a list. */
export function RunsPage() {
  const { env } = useParams({ from: '/signed-in/$env/runs' });
  const { view, ...filters } = useSearch({ from: '/signed-in/$env/runs' });
  const navigate = useNavigate({ from: '/$env/runs' });
  useTitle('Runs', env);
  const isList = view === 'list';
  const { repository: repo, ...others } = filters;
  const { job, since = '24h', until } = others;
  const part: PartProps = {
    env,
    filters,
    onChange: (changed) => void navigate({ search: (search) => ({ ...search, ...changed }) }),
    onClear: () => void navigate({ search: { view } }),
  };
  return (
    <div className="page">
      <PageHeader
        title="Runs"
        command={
          isList
            ? svcCommand('runs list', null, { env, ...others, repo })
            : svcCommand('runs timeline', null, { env, since, until, job, repo })
        }
      />
      <Tabs label="Views">
        <Link
          to="/$env/runs"
          params={{ env }}
          search={(search) => ({ ...search, view: undefined })}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          Timeline
        </Link>
        <Link
          to="/$env/runs"
          params={{ env }}
          search={(search) => ({ ...search, view: 'list' })}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          List
        </Link>
      </Tabs>
      {isList ? <ListPart {...part} /> : <TimelinePart {...part} />}
    </div>
  );
}
