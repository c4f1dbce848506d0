import type { Query, SavedQuery } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { svcCommand } from '../text/commands.ts';
import { History } from './history.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { type ParameterInputs, paramsOf } from './parameters.ts';
import { queryQuery } from './queries.ts';
import { ResultPanel } from './result-panel.tsx';
import { ResultTabs, TABS, type Tab } from './result-tabs.tsx';
import { RunBar } from './run-bar.tsx';
import { SavedBar } from './saved/saved-bar.tsx';
import { SavedList } from './saved/saved-list.tsx';
import type { TabContent } from './tabs/tab-content.ts';
import { parameterMark, useErrorMark } from './use-marks.ts';
import { useRun } from './use-run.ts';

const PlanTab = lazy(() => import('./plan/plan-tab.tsx').then((module) => ({ default: module.PlanTab })));
const Editor = lazy(() => import('./editor.tsx'));

interface ResultsProps {
  env: string;
  id: string | undefined;
  query: Query | undefined;
  error: Error | null;
  isChart: boolean;
}

function Results({ env, id, query, error, isChart }: ResultsProps) {
  if (id !== undefined && error !== null) return <ErrorState error={error} />;
  if (id !== undefined)
    return query === undefined ? <Loading /> : <ResultPanel env={env} query={query} isChart={isChart} />;
  return (
    <Empty icon="sql" title="Run a statement to see its result" command={svcCommand('sql', 'select 1', { env })}>
      You can read every table on which you have READ_TABLE. Results are kept for a while, and the address of this page
      leads back to them.
    </Empty>
  );
}

interface WorkspaceProps {
  env: string;
  content: TabContent;
  /** The parameters of the statement. */
  names: readonly string[];
  tab: Tab;
  onChange: (changed: {
    sql?: string;
    inputs?: ParameterInputs;
    title?: string;
    query?: string;
    savedVersion?: number;
  }) => void;
}

/** The statement of a tab, its result, and the lists beside it. */
export function Workspace({
  env,
  content: { title, sql, inputs, savedVersion },
  names,
  tab,
  onChange,
}: WorkspaceProps) {
  const { open, query: id, saved: savedId, q } = useSearch({ from: '/signed-in/$env/sql' });
  const navigate = useNavigate({ from: '/$env/sql' });
  const { data: query, error } = useQuery({ ...queryQuery(env, id ?? ''), enabled: id !== undefined });
  const { submit, cancel } = useRun(env, (shown) => onChange({ query: shown }));
  const run = () => {
    if (sql.trim() !== '' && !submit.isPending) submit.mutate({ sql, params: paramsOf(names, inputs) });
  };
  const mark = useErrorMark(sql, submit.error === null ? query?.sql_text : sql, submit.error ?? query?.error ?? null);
  const showSaved = (saved: SavedQuery | undefined) => {
    if (saved !== undefined && title === null) onChange({ title: saved.name });
    void navigate({ search: (search) => ({ ...search, saved: saved?.id }) });
  };
  return (
    <>
      <section className="card editor-card" aria-label="Statement">
        <SavedBar {...{ env, id: savedId, savedVersion, sql, names, inputs }} onChange={showSaved} onEdit={onChange} />
        <div className="editor-space">
          <Suspense fallback={<Loading rows={3} label="Loading the editor" />}>
            <Editor env={env} value={sql} onChange={(written) => onChange({ sql: written })} onRun={run} error={mark} />
          </Suspense>
        </div>
        <ParameterFields
          names={names}
          inputs={inputs}
          error={parameterMark(names, inputs, query?.error ?? null)}
          onChange={(entered) => onChange({ inputs: entered })}
          onRun={run}
        />
        <RunBar
          query={id === undefined ? undefined : query}
          canRun={sql.trim() !== ''}
          isSubmitting={submit.isPending}
          onRun={run}
          onCancel={() => query && cancel.mutate(query.id)}
        />
      </section>
      {submit.error === null ? null : <ErrorNotice error={submit.error} />}
      {cancel.error === null ? null : <ErrorNotice error={cancel.error} />}
      <ResultTabs env={env} shown={{ open, query: id, saved: savedId }} tab={tab} />
      <section className="card" aria-label={TABS[tab]}>
        {tab === 'history' ? (
          <History env={env} />
        ) : tab === 'saved' ? (
          <SavedList env={env} search={q} />
        ) : tab === 'plan' ? (
          <Suspense fallback={<Loading label="Loading the plan" />}>
            <PlanTab env={env} sql={sql} params={paramsOf(names, inputs)} />
          </Suspense>
        ) : (
          <Results env={env} id={id} query={query} error={error} isChart={tab === 'chart'} />
        )}
      </section>
    </>
  );
}
