import { Name } from '../../design/name.tsx';
import { plural } from '../../text/numbers.ts';
import { exact } from '../../text/times.ts';
import { Elapsed, StatusBadge, titleOf } from '../run-status.tsx';
import type { Bar } from './bars.ts';

export interface Hovered {
  readonly bar: Bar;
  /** Of the pointer, in pixels of the window. */
  readonly x: number;
  readonly y: number;
}

const WIDTH = 280;

/** What is below the pointer. */
export function HoverCard({ bar: { spans, status }, x, y }: Hovered) {
  const style = { left: Math.max(8, Math.min(x + 12, innerWidth - WIDTH - 8)), top: y + 16 };
  const newest = spans[0]!;
  const failed = spans.filter((span) => span.status === 'failed').length;
  return (
    <div className="hover-card" style={style} aria-hidden="true">
      {spans.length === 1 ? (
        <>
          <div className="row spread">
            <b className="clipped">
              <Name>{titleOf(newest)}</Name>
            </b>
            <StatusBadge status={status} />
          </div>
          <div className="soft">{exact(newest.created_at)}</div>
          <div className="soft">
            {newest.started_at === null ? 'in the queue' : <Elapsed {...newest} />}
            {newest.trigger === null ? '' : `, started by ${newest.trigger}`}
          </div>
        </>
      ) : (
        <>
          <b>{plural(spans.length, 'run')}</b>
          <div className="soft">{failed === 0 ? 'None failed.' : `${failed} failed.`} Click to zoom in.</div>
        </>
      )}
    </div>
  );
}
