import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useMemo, useRef } from 'react';
import { Empty, ErrorState, Loading, NoMatch, Outdated } from '../../design/states.tsx';
import { useNow } from '../../design/use-now.ts';
import { jobsQuery } from '../../jobs/queries.ts';
import { svcCommand } from '../../text/commands.ts';
import { count } from '../../text/numbers.ts';
import type { Bar } from './bars.ts';
import { AXIS_HEIGHT, ROW_HEIGHT } from './draw.ts';
import { HoverCard } from './hover-card.tsx';
import { LaneHeader } from './lane-header.tsx';
import { moved, type Period, zoomed } from './period.ts';
import { timelineQuery } from './queries.ts';
import { type Row, type RowFilters, rowsIn, rowsOf } from './rows.ts';
import { useCanvas } from './use-canvas.ts';
import type { usePeriod } from './use-period.ts';
import './timeline.css';

const NOTHING: readonly never[] = [];
const LEGEND = [
  ['good', 'succeeded'],
  ['bad', 'failed'],
  ['info', 'running'],
  ['warn', 'cancelled'],
  ['queued', 'in the queue'],
  ['next', 'next start'],
] as const;

interface LanesProps {
  env: string;
  /** With the runs that are loaded, also outside of the period. */
  loaded: readonly Row[];
  now: number;
  shown: ReturnType<typeof usePeriod>;
}

/** The period that a key of the keyboard leads to. */
function periodAfter(key: string, period: Period): Period | null {
  const length = period.to - period.from;
  const middle = period.from + length / 2;
  if (key === 'ArrowLeft') return moved(period, -length / 8);
  if (key === 'ArrowRight') return moved(period, length / 8);
  if (key === '+' || key === '=') return zoomed(period, 0.5, middle);
  if (key === '-') return zoomed(period, 2, middle);
  return null;
}

function Lanes({ env, loaded, now, shown: { period, show, follow } }: LanesProps) {
  const rows = useMemo(() => rowsIn(loaded, period), [loaded, period]);
  const scroller = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const canvas = useRef<HTMLCanvasElement>(null);
  const onOpen = useCallback(
    ({ spans, left, right }: Bar) => {
      if (spans.length === 1)
        return void navigate({ to: '/$env/runs/$run', params: { env, run: spans[0]!.id }, search: {} });
      const share = (left + right) / 2 / canvas.current!.clientWidth;
      show(zoomed(period, 0.25, period.from + share * (period.to - period.from)));
    },
    [env, navigate, period, show],
  );
  const hovered = useCanvas(canvas, scroller, { rows, period, now, onMove: show, onOpen });
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    scrollMargin: AXIS_HEIGHT,
    overscan: 6,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = periodAfter(event.key, period);
    if (next !== null) show(next);
    else if (event.key === '0') follow();
    else return;
    event.preventDefault();
  };
  return (
    <section
      className="timeline"
      ref={scroller}
      onKeyDown={onKeyDown}
      tabIndex={0}
      aria-label="Timeline. The left and right arrows move it, plus and minus zoom, zero shows the latest runs."
    >
      <div className="timeline-lanes" style={{ height: AXIS_HEIGHT + rows.length * ROW_HEIGHT }}>
        <div className="lane-corner" style={{ height: AXIS_HEIGHT, lineHeight: `${AXIS_HEIGHT}px` }}>
          Job
        </div>
        <canvas className="timeline-canvas" style={{ marginTop: -AXIS_HEIGHT }} ref={canvas} />
        <ul>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <li
              key={rows[index]!.key}
              className="lane-header"
              style={{ height: ROW_HEIGHT, top: 0, transform: `translateY(${start}px)` }}
            >
              <LaneHeader env={env} row={rows[index]!} period={period} />
            </li>
          ))}
        </ul>
      </div>
      {rows.length > 0 ? null : (
        <p className="timeline-empty soft">
          {loaded.length > 0
            ? 'No runs in this period. Move it, or zoom out: there are runs close to it.'
            : 'No runs in this period or close to it. Now shows the latest runs.'}
        </p>
      )}
      {hovered === null ? null : <HoverCard {...hovered} />}
    </section>
  );
}

interface TimelineProps {
  env: string;
  filters: RowFilters;
  shown: ReturnType<typeof usePeriod>;
  onClear: () => void;
}

/** The runs of the jobs of an environment over time. */
export function Timeline({ env, filters, shown, onClear }: TimelineProps) {
  const now = useNow(10_000);
  const jobs = useQuery(jobsQuery(env));
  const { data, error, refetch } = useQuery(timelineQuery(env, shown.period, shown.isLive));
  const loaded = useMemo(
    () => rowsOf(jobs.data ?? NOTHING, data?.spans ?? NOTHING, filters),
    [jobs.data, data, filters],
  );
  const failure = error ?? jobs.error;
  if (data === undefined || jobs.data === undefined)
    return failure === null ? <Loading /> : <ErrorState error={failure} retry={refetch} />;
  if (loaded.length === 0 && Object.values(filters).some((value) => value !== undefined))
    return <NoMatch icon="runs" title="No run matches" onClear={onClear} />;
  if (loaded.length === 0 && shown.isLive)
    return (
      <Empty icon="runs" title="No jobs and no runs" command={svcCommand('deploy', '.', { env })}>
        A job builds the assets of a project on a schedule. Deploy a project that has one, or start a run.
      </Empty>
    );
  return (
    <>
      <Outdated what="The timeline" error={failure} />
      <Lanes env={env} loaded={loaded} now={now} shown={shown} />
      <div className="legend">
        {LEGEND.map(([tone, text]) => (
          <span key={tone}>
            <i className={`tone-${tone}`} />
            {text}
          </span>
        ))}
        {data.truncated ? (
          <span>Only the newest {count(data.spans.length)} runs are shown. Zoom in to see others.</span>
        ) : null}
      </div>
    </>
  );
}
