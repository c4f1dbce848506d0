import type { LogLine, Run } from '@svc/sdk/browser';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FilterChip } from '../design/filter.tsx';
import { Icon } from '../design/icons.tsx';
import { Options } from '../design/options.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty, ErrorNotice, Loading } from '../design/states.tsx';
import { plural } from '../text/numbers.ts';
import { utc } from '../text/times.ts';
import { visible } from '../text/visible.ts';
import { attemptTime, logText, matchingLines } from './log-text.ts';
import { MAX_LINES, useLogLines } from './use-log-lines.ts';

const LINE_HEIGHT = 20;
/** Closer to the end than this, new lines stay in view. */
const NEAR_END = 60;

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

function LogRows({ lines }: { lines: readonly LogLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 30,
  });
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines.length]);
  const onScroll = () => {
    const element = scroller.current;
    if (element !== null) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
  };
  return (
    <div className="log" ref={scroller} onScroll={onScroll} role="log" aria-live="off" aria-label="Log" tabIndex={0}>
      <div className="log-lines" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={line.sequence}
              className={`log-line ${line.stream}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <time dateTime={line.time} title={utc(line.time)}>
                {clock.format(Date.parse(line.time))}
              </time>
              <bdi className="log-asset">{visible(line.asset ?? 'service')}</bdi>
              <bdi>{logText(line)}</bdi>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function useLogSearch() {
  const { q = '' } = useSearch({ from: '/signed-in/$env/runs/$run' });
  const navigate = useNavigate({ from: '/$env/runs/$run' });
  const change = useCallback(
    (changed: { q?: string | undefined; task?: string | undefined; attempt?: string | undefined }) =>
      void navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ q: text === '' ? undefined : text }), [change]);
  return { q, change, search };
}

interface LogsProps {
  env: string;
  run: Run;
  task: string | undefined;
  /** The number of an attempt of the task. */
  attempt: string | undefined;
}

/** The log of a run, of one of its tasks or of an attempt, followed while the run is active. */
export function Logs({ env, run, task, attempt }: LogsProps) {
  const [reading, setReading] = useState(0);
  const { lines, omitted, isComplete, error } = useLogLines(env, run.id, reading);
  const of = run.tasks.find(({ asset }) => asset === task);
  const during = of === undefined || attempt === undefined ? undefined : attemptTime(of, attempt);
  const { q, change, search } = useLogSearch();
  const { from, until } = during ?? {};
  const shown = useMemo(() => {
    const time = from === undefined || until === undefined ? undefined : { from, until };
    return matchingLines(lines, { task, text: q, during: time });
  }, [lines, task, q, from, until]);
  const path = `/api/v1/environments/${encodeURIComponent(env)}/runs/${encodeURIComponent(run.id)}/logs`;
  return (
    <>
      <div className="row toolbar">
        <SearchBox label="Search the log" value={q} onChange={search} />
        <select
          className="select"
          aria-label="Task"
          value={task ?? ''}
          onChange={(event) =>
            change({ task: event.target.value === '' ? undefined : event.target.value, attempt: undefined })
          }
        >
          <option value="">All tasks</option>
          <Options of={run.tasks.map(({ asset }) => [asset, visible(asset)])} />
        </select>
        {attempt === undefined || during === undefined ? null : (
          <FilterChip label="Attempt" value={attempt} onRemove={() => change({ attempt: undefined })} />
        )}
        <span className="soft number" role="status">
          {plural(shown.length, 'line')}
          {isComplete ? '' : ' so far'}
        </span>
        <span className="grow" />
        <a className="button small" href={path} download={`run-${run.id}.ndjson`}>
          <Icon name="download" /> Download
        </a>
      </div>
      {omitted === 0 ? null : (
        <p className="toolbar soft">
          Only the last {MAX_LINES.toLocaleString('en')} lines are shown. The download has all of them.
        </p>
      )}
      {error === null ? null : (
        <div className="stack padded">
          <ErrorNotice error={error} />
          <div>
            <button type="button" className="button" onClick={() => setReading(reading + 1)}>
              Read the log again
            </button>
          </div>
        </div>
      )}
      {shown.length > 0 ? (
        <LogRows lines={shown} />
      ) : error !== null ? null : isComplete || lines.length > 0 ? (
        <Empty icon="lines" title={lines.length === 0 ? 'The log is empty' : 'No line matches'} />
      ) : (
        <Loading label="Waiting for the log" />
      )}
    </>
  );
}
