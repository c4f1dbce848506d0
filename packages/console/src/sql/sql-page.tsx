import type { QueryParams } from '@svc/core/queries';
import type { Query, SavedQuery } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { Icon } from '../design/icons.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { WHOLE_ADDRESS } from '../design/tabs.ts';
import { useTitle } from '../design/use-title.ts';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { svcCommand } from '../text/commands.ts';
import { visible } from '../text/visible.ts';
import { errorRange } from './error-range.ts';
import { History } from './history.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { optionsOf, type ParameterInputs, parameterOfError, parametersOf, paramsOf } from './parameters.ts';
import { isActive, queryQuery } from './queries.ts';
import { QueryBadge, QueryDuration } from './query-status.tsx';
import { ResultPanel } from './result-panel.tsx';
import { savedQueryQuery } from './saved/queries.ts';
import { SavedBar } from './saved/saved-bar.tsx';
import { SavedList } from './saved/saved-list.tsx';
import { savedOptionsOf } from './saved/saved-parameters.ts';
import { useStatement } from './use-statement.ts';
import './sql.css';

const Editor = lazy(() => import('./editor.tsx'));

/** Submits a statement, shows its query, and cancels it. */
function useRun(env: string) {
  const navigate = useNavigate({ from: '/$env/sql' });
  const submit = useMutation({
    mutationFn: ({ sql, params }: { sql: string; params: QueryParams | undefined }) =>
      svc.queries.submit(env, sql, { params }),
    onSuccess: (query) => {
      cache.setQueryData<Query>(queryQuery(env, query.id).queryKey, query);
      void cache.invalidateQueries({ queryKey: ['queries', env] });
      // A chart stays, so that its statement can be refined.
      return navigate({
        search: ({ tab, saved, ...search }) =>
          tab === 'chart' ? { ...search, saved, tab, query: query.id } : { saved, query: query.id },
      });
    },
  });
  const cancel = useMutation({
    mutationFn: (id: string) => svc.queries.cancel(env, id),
    onSuccess: (query) => cache.setQueryData<Query>(queryQuery(env, query.id).queryKey, query),
  });
  return { submit, cancel };
}

interface RunBarProps {
  query: Query | undefined;
  canRun: boolean;
  isSubmitting: boolean;
  onRun: () => void;
  onCancel: () => void;
}

function RunBar({ query, canRun, isSubmitting, onRun, onCancel }: RunBarProps) {
  const isRunning = query !== undefined && isActive(query);
  const progress = query?.progress ?? 0;
  return (
    <div className="row spread run-bar">
      <div className="row" role="status">
        {query === undefined ? (
          <span className="soft">Ctrl-Enter or ⌘-Enter runs the statement</span>
        ) : (
          <>
            <QueryBadge query={query} />
            <span className="soft" aria-hidden={isRunning}>
              <QueryDuration query={query} />
              {isRunning && progress > 0 ? ` · ${Math.round(progress * 100)} %` : ''}
            </span>
          </>
        )}
      </div>
      <div className="row">
        {isRunning ? (
          <button type="button" className="button danger" onClick={onCancel}>
            Cancel
          </button>
        ) : null}
        <button type="button" className="button primary" disabled={!canRun || isSubmitting} onClick={onRun}>
          <Icon name="runs" /> Run
        </button>
      </div>
    </div>
  );
}

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

const TABS = { result: 'Result', chart: 'Chart', history: 'History', saved: 'Saved queries' } as const;
type Tab = keyof typeof TABS;

/** What the address keeps while tabs change. */
interface Shown {
  readonly query?: string | undefined;
  readonly saved?: string | undefined;
}

function ResultTabs({ env, shown, tab }: { env: string; shown: Shown; tab: Tab }) {
  const kept = Object.fromEntries(Object.entries(shown).filter(([, id]) => id !== undefined));
  return (
    <nav className="tabs" aria-label="Result, history and saved queries">
      {(Object.keys(TABS) as Tab[]).map((each) => (
        <Link
          key={each}
          to="/$env/sql"
          params={{ env }}
          search={each === 'result' ? kept : { ...kept, tab: each }}
          activeOptions={each === 'result' ? WHOLE_ADDRESS : { exact: each !== tab, includeSearch: true }}
        >
          {TABS[each]}
        </Link>
      ))}
    </nav>
  );
}

/** Where the error of a statement is, as long as the editor still has this statement. */
function useErrorMark(sql: string, ran: unknown, failure: Error | Query['error']) {
  const message = failure === null ? '' : 'detail' in failure ? failure.detail : failure.message;
  return useMemo(() => {
    const range = message === '' || ran !== sql ? null : errorRange(sql, message);
    return range === null ? null : { range, message: visible(message) };
  }, [sql, ran, message]);
}

/** The parameters of the statement. While it isn't complete, they stay as they were. */
function useParameters(sql: string): readonly string[] {
  const last = useRef<readonly string[]>([]);
  const found = useMemo(() => parametersOf(sql), [sql]);
  if (found !== null) last.current = found;
  return last.current;
}

/** The parameter that the query failed for, as long as it has the same value. */
function parameterMark(names: readonly string[], inputs: ParameterInputs, failure: Query['error']) {
  if (failure === null) return null;
  const message = failure.detail;
  const name = parameterOfError(names, inputs, { code: failure.code, message });
  return name === null ? null : { name, message };
}

interface Written {
  readonly sql: string;
  readonly names: readonly string[];
  readonly inputs: ParameterInputs;
  readonly saved: SavedQuery | undefined;
}

function commandOf(env: string, { sql: written, names, inputs, saved }: Written): string {
  const ofSaved = saved?.sql_text === written ? savedOptionsOf(saved.parameters, names, inputs) : null;
  if (saved !== undefined && ofSaved !== null) return svcCommand('sql', null, { env, saved: saved.id, p: ofSaved });
  const sql = written.trim() === '' ? 'select 1' : written.trim();
  const options = optionsOf(names, inputs);
  if (options !== null) return svcCommand('sql', sql, { env, p: options });
  // The command line takes only named values.
  const body = JSON.stringify({ sql, params: paramsOf(names, inputs) });
  return svcCommand('api', ['POST', `environments/${encodeURIComponent(env)}/queries`], { body });
}

function Workspace({ env }: { env: string }) {
  const { query: id, table, saved: savedId, tab: named, q } = useSearch({ from: '/signed-in/$env/sql' });
  const tab = (Object.keys(TABS) as Tab[]).find((each) => each === named) ?? 'result';
  const { data: query, error } = useQuery({ ...queryQuery(env, id ?? ''), enabled: id !== undefined });
  const { data: saved } = useQuery({ ...savedQueryQuery(env, savedId ?? ''), enabled: savedId !== undefined });
  // A query of the address is shown in any case, so the saved one must not be shown before it.
  const [{ sql, inputs }, change] = useStatement({ env, query, table, saved: id === undefined ? saved : undefined });
  const names = useParameters(sql);
  const { submit, cancel } = useRun(env);
  const navigate = useNavigate({ from: '/$env/sql' });
  useTitle(saved?.name ?? 'SQL', env);
  const run = () => {
    if (sql.trim() !== '' && !submit.isPending) submit.mutate({ sql, params: paramsOf(names, inputs) });
  };
  const mark = useErrorMark(sql, submit.error === null ? query?.sql_text : sql, submit.error ?? query?.error ?? null);
  const commands: Partial<Record<Tab, string>> = {
    history: svcCommand('query list', null, { env, all: true }),
    saved: svcCommand('saved-query list', null, { env, search: q }),
  };
  const command = commands[tab] ?? commandOf(env, { sql, names, inputs, saved });
  return (
    <div className="page">
      <PageHeader title="SQL" command={command} />
      <section className="card editor-card" aria-label="Statement">
        <SavedBar
          {...{ env, id: savedId, sql, names, inputs }}
          onChange={(now) => void navigate({ search: (search) => ({ ...search, saved: now }) })}
        />
        <div className="editor-space">
          <Suspense fallback={<Loading rows={3} label="Loading the editor" />}>
            <Editor env={env} value={sql} onChange={(written) => change({ sql: written })} onRun={run} error={mark} />
          </Suspense>
        </div>
        <ParameterFields
          names={names}
          inputs={inputs}
          error={parameterMark(names, inputs, query?.error ?? null)}
          onChange={(entered) => change({ inputs: entered })}
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
      <ResultTabs env={env} shown={{ query: id, saved: savedId }} tab={tab} />
      <section className="card" aria-label={TABS[tab]}>
        {tab === 'history' ? (
          <History env={env} />
        ) : tab === 'saved' ? (
          <SavedList env={env} search={q} />
        ) : (
          <Results env={env} id={id} query={query} error={error} isChart={tab === 'chart'} />
        )}
      </section>
    </div>
  );
}

/** SQL statements and their results. */
export function SqlPage() {
  const { env } = useParams({ from: '/signed-in/$env/sql' });
  return <Workspace key={env} env={env} />;
}
