import type { Period } from './period.ts';
import type { Span } from './rows.ts';

/** What is drawn for one run, or for several that are too close to distinguish. Positions in pixels from the left. */
export interface Bar {
  readonly left: number;
  readonly right: number;
  /** Where it started to run, between `left` and `right`: before, it was queued. */
  readonly started: number;
  readonly status: Span['status'];
  readonly spans: readonly Span[];
}

const MIN_WIDTH = 3;
/** Wider than this, one failure would color a day. */
const MAX_MERGED_WIDTH = 6;
/** Of several runs, the first of these decides the color. */
const SEVERITY: readonly Span['status'][] = ['failed', 'running', 'queued', 'cancelled', 'succeeded'];

const worse = (a: Span['status'], b: Span['status']): Span['status'] =>
  SEVERITY.indexOf(a) <= SEVERITY.indexOf(b) ? a : b;

/** The bars of one line from the left to the right. @param spans newest first */
export function barsOf(spans: readonly Span[], { from, to }: Period, width: number, now: number): Bar[] {
  const position = (at: number) => ((at - from) / (to - from)) * width;
  const bars: Bar[] = [];
  for (let i = spans.length - 1; i >= 0; i--) {
    const span = spans[i]!;
    const left = position(span.created);
    const right = Math.max(left + MIN_WIDTH, position(span.finished ?? now));
    if (right < 0 || left > width) continue;
    const started = span.started === null ? right : Math.min(right, position(span.started));
    const last = bars.at(-1);
    if (last !== undefined && left < last.right && Math.max(last.right, right) - last.left <= MAX_MERGED_WIDTH)
      bars[bars.length - 1] = merged(last, { left, right, started, status: span.status, spans: [span] });
    else bars.push({ left, right, started, status: span.status, spans: [span] });
  }
  return bars;
}

const merged = (a: Bar, b: Bar): Bar => ({
  left: a.left,
  right: Math.max(a.right, b.right),
  started: Math.min(a.started, b.started),
  status: worse(a.status, b.status),
  spans: [...b.spans, ...a.spans],
});

const REACH = 4;

/** The bar at a position, or the nearest one within some pixels. */
export function barAt(bars: readonly Bar[], x: number): Bar | null {
  let found: Bar | null = null;
  let best = REACH;
  for (const bar of bars) {
    const distance = x < bar.left ? bar.left - x : x > bar.right ? x - bar.right : 0;
    // Later bars are drawn above earlier ones.
    if (distance <= best) [found, best] = [bar, distance];
  }
  return found;
}
