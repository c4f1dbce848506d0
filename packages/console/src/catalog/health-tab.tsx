import type { TableHealth } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DataTable } from '../design/data-table.tsx';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { bytes, count } from '../text/numbers.ts';
import { healthQuery } from './queries.ts';

const timeOrNever = (at: string | null): ReactNode => (at === null ? 'never' : <Time at={at} />);

function factsOf(health: TableHealth): readonly (readonly [string, ReactNode])[] {
  return [
    ['Last write', timeOrNever(health.last_write_at)],
    ['Last read', timeOrNever(health.last_read_at)],
    ['Rows', count(health.row_count)],
    ['Size', bytes(health.size_bytes)],
    ['Files', count(health.file_count)],
    ['Small files', count(health.small_files)],
    ['Snapshots', count(health.snapshots)],
  ];
}

function Readers({ readers, days }: { readers: NonNullable<TableHealth['readers']>; days: number }) {
  if (readers.length === 0) return <p className="soft">Nobody has read the table in the last {days} days.</p>;
  return (
    <div className="card">
      <DataTable columns={['Reader', [`Reads in ${days} days`, 'end'], ['Last read', 'end']]}>
        {readers.map(({ principal, reads, last_read_at }) => (
          <tr key={principal}>
            <td>
              <Name>{principal}</Name>
            </td>
            <td className="end">{count(reads)}</td>
            <td className="end soft">
              <Time at={last_read_at} />
            </td>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}

/** When the table was last written and read, how it is stored, and who reads it. */
export function HealthTab({ env, table }: { env: string; table: string }) {
  const { data, error, refetch } = useQuery(healthQuery(env, table));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="stack padded">
      <Facts facts={factsOf(data)} />
      {data.readers === null ? null : <Readers readers={data.readers} days={data.days} />}
    </div>
  );
}
