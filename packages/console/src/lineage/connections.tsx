import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { NodeLinks } from '../graph/dependency-list.tsx';
import type { GraphNode } from '../graph/graph.ts';
import { plural } from '../text/numbers.ts';
import type { Connection } from './table-graph.ts';

interface ConnectionsProps {
  env: string;
  title: string;
  connections: readonly Connection[];
  /** The node at the other end. */
  otherOf: (connection: Connection) => GraphNode | undefined;
  hrefOf: (id: string) => string;
  onSelect: (id: string) => void;
}

/** What is known about one connection: where it comes from, the run and version that read the input, and the columns. */
function ConnectionFacts({ env, connection }: { env: string; connection: Connection }) {
  const { declared, read, run_id, project_version_id, built_at, input_snapshot_id, columns } = connection;
  return (
    <>
      <div className="row">
        {declared ? <Badge>declared</Badge> : null}
        {read ? <Badge tone="good">read</Badge> : null}
      </div>
      {built_at === null ? (
        <p className="soft">No build has read it yet.</p>
      ) : (
        <p className="soft">
          Built <Time at={built_at} />
          {run_id === null ? null : (
            <>
              {' '}
              in{' '}
              <Link to="/$env/runs/$run" params={{ env, run: run_id }} search={{}} className="link">
                this run
              </Link>
            </>
          )}
          {input_snapshot_id === null ? null : <>, from snapshot {String(input_snapshot_id)}</>}
          {project_version_id === null ? null : (
            <>
              , project version <span className="mono">{project_version_id}</span>
            </>
          )}
        </p>
      )}
      {columns === null || columns.length === 0 ? null : (
        <details>
          <summary>{plural(columns.length, 'column')}</summary>
          <DataTable columns={['From', 'To']}>
            {columns.map(({ input, output }) => (
              <tr key={JSON.stringify([input, output])}>
                <td>
                  <Name>{input}</Name>
                </td>
                <td>
                  <Name>{output}</Name>
                </td>
              </tr>
            ))}
          </DataTable>
        </details>
      )}
    </>
  );
}

/** The connections of the selected table in one direction. */
export function Connections({ env, title, connections, otherOf, hrefOf, onSelect }: ConnectionsProps) {
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      {connections.length === 0 ? <p className="soft">Nothing that you can see.</p> : null}
      <ul className="connections">
        {connections.map((connection) => {
          const other = otherOf(connection);
          return (
            <li key={JSON.stringify([connection.input, connection.output])} className="stack tight">
              {other === undefined ? null : <NodeLinks nodes={[other]} hrefOf={hrefOf} onSelect={onSelect} />}
              <ConnectionFacts env={env} connection={connection} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
