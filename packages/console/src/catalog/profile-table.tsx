import type { Column } from '@svc/sdk/browser';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { count, plural } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import type { ColumnProfile } from './profile-sql.ts';

const percent = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  return share > 0 && share < 1 ? '<1 %' : `${share > 99 && share < 100 ? '>99' : Math.round(share)} %`;
};

const HEIGHT = 28;
const BAR = 10;

/** How many rows are in each range, from the minimum to the maximum. */
function Histogram({ name, bars }: { name: string; bars: readonly number[] }) {
  const most = Math.max(1, ...bars);
  const label = `Rows of ${visible(name)} in ${bars.length} equal ranges: ${bars.map(count).join(', ')}`;
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${bars.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {bars.map((rows, index) => {
        // A range with a few rows differs from one without.
        const height = rows === 0 ? 0 : Math.max(1, (rows / most) * HEIGHT);
        return <rect key={index} x={index * BAR + 0.5} y={HEIGHT - height} width={BAR - 1} height={height} />;
      })}
    </svg>
  );
}

function TopValues({ top, rows }: Pick<ColumnProfile, 'top' | 'rows'>) {
  return (
    <ol className="top-values">
      {top.map(({ value, rows: found }) => (
        <li key={value} title={plural(found, 'row')}>
          <meter min={0} max={Math.max(1, rows)} value={found} aria-hidden="true" />
          <span className="clipped">{value === '' ? <i>empty</i> : <Name>{value}</Name>}</span>
          <span className="soft number">{percent(found, rows)}</span>
        </li>
      ))}
    </ol>
  );
}

function Extreme({ value }: { value: string | null }) {
  return (
    <td className="mono extreme">
      {value === null ? null : (
        <span className="clipped" title={visible(value)}>
          <Name>{value}</Name>
        </span>
      )}
    </td>
  );
}

function Measured({ profile }: { profile: ColumnProfile }) {
  const { name, rows, nulls, distinct, min, max, bars, top } = profile;
  return (
    <>
      <td className="end" title={plural(nulls, 'null')}>
        {nulls === 0 ? <span className="soft">0</span> : `${count(nulls)} (${percent(nulls, rows)})`}
      </td>
      <td className="end">{count(distinct)}</td>
      <Extreme value={min} />
      <Extreme value={max} />
      <td>
        {bars.length > 0 ? <Histogram name={name} bars={bars} /> : null}
        {top.length > 0 ? <TopValues top={top} rows={rows} /> : null}
      </td>
    </>
  );
}

const COLUMNS = ['Column', 'Type', ['Nulls', 'end'], ['≈ Distinct', 'end'], 'Minimum', 'Maximum', 'Values'] as const;

/** The profiles in the order of the columns; those without one say so. */
export function ProfileTable({
  columns,
  profiles,
}: {
  columns: readonly Column[];
  profiles: readonly ColumnProfile[];
}) {
  const byName = new Map(profiles.map((profile) => [profile.name, profile]));
  return (
    <DataTable columns={COLUMNS} className="profile">
      {columns.map(({ name, type }) => {
        const profile = byName.get(name);
        return (
          <tr key={name}>
            <td className="column-name">
              <Name>{name}</Name>
            </td>
            <td className="mono soft type">
              <Name>{type}</Name>
            </td>
            {profile === undefined ? (
              <td colSpan={5} className="soft">
                no profile for this type
              </td>
            ) : (
              <Measured profile={profile} />
            )}
          </tr>
        );
      })}
    </DataTable>
  );
}
