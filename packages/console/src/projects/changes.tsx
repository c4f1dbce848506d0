import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { useShown } from '../design/use-shown.ts';
import { changeLines, type ProjectChanges } from './change-lines.ts';
import './projects.css';

const TONES = { added: 'good', removed: 'bad', changed: 'info' } as const;

/** The assets and jobs that differ. */
export function Changes({ changes }: { changes: ProjectChanges }) {
  const lines = changeLines(changes);
  const { shown, more } = useShown(lines);
  if (lines.length === 0) return <p className="soft unchanged">No asset or job differs.</p>;
  return (
    <>
      <DataTable columns={['Change', 'Asset or job', 'Details']}>
        {shown.map(({ what, object, name, details }) => (
          <tr key={`${object} ${name}`}>
            <td className="fit">
              <Badge tone={TONES[what]}>{what}</Badge>
            </td>
            <td>
              <Name>{name}</Name> {object === 'job' ? <span className="soft">job</span> : null}
            </td>
            <td className="soft">
              {details.map((detail) => (
                <p key={detail}>
                  <Name>{detail}</Name>
                </p>
              ))}
            </td>
          </tr>
        ))}
      </DataTable>
      <LoadMore query={more} />
    </>
  );
}
