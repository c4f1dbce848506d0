import type { DroppedTable, EnvironmentSummary, ExpiringTable } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { tableTarget } from '../catalog/table-target.ts';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { Card } from './card.tsx';

type RecentTable = EnvironmentSummary['recent_tables'][number];

function TableLink({ env, name }: { env: string; name: string }) {
  return (
    <span className="clipped grow">
      <Link {...tableTarget(env, name)} className="link">
        <Name>{name}</Name>
      </Link>
    </span>
  );
}

/** How fresh the tables are that people read. */
export function RecentTables({ env, tables }: { env: string; tables: readonly RecentTable[] }) {
  return (
    <Card title="Read last">
      <ul>
        {tables.map(({ name, last_write_at: written }) => (
          <li key={name} className="entry">
            <TableLink env={env} name={name} />
            <span className="soft">
              {written === null ? (
                'never written'
              ) : (
                <>
                  written <Time at={written} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function ExpiringSoon({ env, tables }: { env: string; tables: readonly ExpiringTable[] }) {
  return (
    <Card title="Expires soon">
      <ul>
        {tables.map(({ id, namespace, name, expires_at: at }) => (
          <li key={id} className="entry">
            <TableLink env={env} name={`${namespace}.${name}`} />
            <span className="soft">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function DroppedLately({ env, tables }: { env: string; tables: readonly DroppedTable[] }) {
  return (
    <Card title="Can be restored">
      <ul>
        {tables.map(({ uuid, namespace, name, purge_after: until }) => (
          <li key={uuid} className="entry">
            <span className="clipped grow">
              <Link
                to="/$env/catalog/$namespace"
                params={{ env, namespace }}
                search={{ tab: 'dropped' }}
                className="link"
              >
                <Name>{`${namespace}.${name}`}</Name>
              </Link>
            </span>
            <span className="soft">
              {until === null ? null : (
                <>
                  until <Time at={until} absolute />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
