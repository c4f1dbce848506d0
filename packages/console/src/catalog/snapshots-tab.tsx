import type { Snapshot } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { count } from '../text/numbers.ts';
import { MadeBy } from './made-by.tsx';
import { snapshotsQuery } from './queries.ts';
import { RollbackDialog } from './rollback-dialog.tsx';

/** A count of the snapshot's summary; other engines may leave it out. */
function counted({ summary }: Snapshot, key: string): string {
  const text = summary[key];
  return count(text !== undefined && /^\d+$/.test(text) ? Number(text) : null);
}

interface SnapshotRowProps {
  env: string;
  snapshot: Snapshot;
  onRollback: () => void;
}

function SnapshotRow({ env, snapshot, onRollback }: SnapshotRowProps) {
  const { snapshot_id, committed_at, operation, current, refs } = snapshot;
  return (
    <tr>
      <td>
        <span className="row">
          <Time at={committed_at} />
          {current ? <Badge tone="good">current</Badge> : null}
          {refs.map((ref) => (
            <span key={ref} className="badge">
              <Name>{ref}</Name>
            </span>
          ))}
        </span>
      </td>
      <td className="wide-only">
        <Name>{operation}</Name>
      </td>
      <td>
        <MadeBy env={env} snapshot={snapshot} />
      </td>
      <td className="end wide-only">{counted(snapshot, 'added-records')}</td>
      <td className="end wide-only">{counted(snapshot, 'deleted-records')}</td>
      <td className="end">{counted(snapshot, 'total-records')}</td>
      <td className="mono soft wide-only">{snapshot_id}</td>
      <td className="fit">
        {current ? null : (
          <button type="button" className="button small" onClick={onRollback}>
            Roll back<span className="hidden"> to snapshot {snapshot_id}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Committed',
  ['Operation', 'wide-only'],
  'Made by',
  ['Rows added', 'end wide-only'],
  ['Rows deleted', 'end wide-only'],
  ['Rows', 'end'],
  ['Snapshot', 'wide-only'],
  ACTIONS,
] as const;

/** The snapshots of a managed table, newest first, each with the way back to it. */
export function SnapshotsTab({ env, table }: { env: string; table: string }) {
  const { data, error, refetch } = useQuery(snapshotsQuery(env, table));
  const [target, setTarget] = useState<Snapshot | null>(null);
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0)
    return (
      <Empty icon="clock" title="No snapshots yet">
        Every write adds a snapshot, and you can roll back to an older one.
      </Empty>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {data.map((snapshot) => (
          <SnapshotRow
            key={snapshot.snapshot_id}
            env={env}
            snapshot={snapshot}
            onRollback={() => setTarget(snapshot)}
          />
        ))}
      </DataTable>
      {target === null ? null : (
        <RollbackDialog env={env} table={table} snapshot={target} onClose={() => setTarget(null)} />
      )}
    </>
  );
}
