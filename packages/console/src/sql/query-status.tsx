import type { Query } from '@svc/sdk/browser';
import { Badge, type Tone } from '../design/badge.tsx';
import { useNow } from '../design/use-now.ts';
import { plural } from '../text/numbers.ts';
import { duration } from '../text/times.ts';
import { isActive } from './queries.ts';

const STATES: Record<Query['status'], { tone: Tone; label: string }> = {
  QUEUED: { tone: 'plain', label: 'Queued' },
  RUNNING: { tone: 'info', label: 'Running' },
  SUCCEEDED: { tone: 'good', label: 'Succeeded' },
  FAILED: { tone: 'bad', label: 'Failed' },
  CANCELLED: { tone: 'warn', label: 'Cancelled' },
};

export function QueryBadge({ query }: { query: Query }) {
  const { tone, label } = STATES[query.status];
  return (
    <Badge tone={tone} dot={isActive(query) ? 'live' : 'still'}>
      {label}
    </Badge>
  );
}

/** How long the query took, or has taken so far. */
export function QueryDuration({ query }: { query: Query }) {
  const now = useNow(isActive(query) ? 250 : 60_000);
  const started = Date.parse(query.started_at ?? query.created_at);
  return (
    <span className="number">{duration((query.ended_at === null ? now : Date.parse(query.ended_at)) - started)}</span>
  );
}

/** What the query did, in words. */
export function outcomeOf({ affected, dry_run, row_count, into, cached }: Query): string {
  if (affected !== undefined) {
    const { inserted, updated, deleted } = affected;
    const text = `${plural(inserted, 'row')} inserted, ${updated} updated, ${deleted} deleted`;
    return dry_run ? `${text} (dry run: nothing changed)` : text;
  }
  const rows = row_count === null ? 'done' : plural(row_count, 'row');
  const from = cached ? ', from the cache' : '';
  return into === null ? rows + from : `${rows} into ${into}`;
}
