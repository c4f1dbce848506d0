import type { DroppedTable } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useNow } from '../design/use-now.ts';
import { timeLeft } from '../text/times.ts';
import { droppedQuery } from './queries.ts';
import { UndropDialog } from './undrop-dialog.tsx';

/** How long the table can be restored. */
function Left({ dropped, now }: { dropped: DroppedTable; now: number }) {
  if (dropped.held) return <Badge tone="info">legal hold</Badge>;
  if (!dropped.restorable) return <Badge tone="bad">can't be restored</Badge>;
  if (dropped.purge_after === null) return <>no limit</>;
  const left = timeLeft(Date.parse(dropped.purge_after), now);
  if (left === null) return <Badge tone="bad">files are being deleted</Badge>;
  return <span title={`Until ${dropped.purge_after}`}>{left} left</span>;
}

/** Dropped tables whose files still exist, with the time left and the way back. */
export function DroppedTables({ env, namespace }: { env: string; namespace: string }) {
  const query = useInfiniteQuery(droppedQuery(env, namespace));
  const [restored, setRestored] = useState<DroppedTable | null>(null);
  const now = useNow(30_000);
  const { data, error, refetch } = query;
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const all = data.pages.flatMap(({ items }) => items);
  if (all.length === 0)
    return (
      <Empty icon="undo" title="No dropped tables">
        A dropped table stays here for the undo period. Until then, it can be restored with its data, history and
        policies.
      </Empty>
    );
  return (
    <>
      <DataTable columns={['Table', ['Kind', 'wide-only'], ['Dropped', 'wide-only'], 'Time left', ACTIONS]}>
        {all.map((dropped) => (
          <tr key={dropped.uuid}>
            <td>
              <Name>{dropped.name}</Name>
            </td>
            <td className="fit wide-only">
              <Badge>{dropped.kind}</Badge>
            </td>
            <td className="soft wide-only">
              <Time at={dropped.dropped_at} /> ({dropped.reason})
            </td>
            <td className="number">
              <Left dropped={dropped} now={now} />
            </td>
            <td className="fit">
              {dropped.restorable ? (
                <button type="button" className="button small" onClick={() => setRestored(dropped)}>
                  <Icon name="undo" /> Undrop<span className="hidden"> {dropped.name}</span>
                </button>
              ) : null}
            </td>
          </tr>
        ))}
      </DataTable>
      <LoadMore query={query} />
      {restored === null ? null : <UndropDialog env={env} dropped={restored} onClose={() => setRestored(null)} />}
    </>
  );
}
