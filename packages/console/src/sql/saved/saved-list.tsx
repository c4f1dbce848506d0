import type { SavedQuery } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Listing } from '../../design/listing.tsx';
import { Name } from '../../design/name.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, NoMatch } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { svcCommand } from '../../text/commands.ts';
import { savedQueriesQuery } from './queries.ts';

const COLUMNS = ['Name', ['Description', 'wide-only'], 'Owner', 'Access', ['Changed', 'end']] as const;

function SavedRow({ env, saved }: { env: string; saved: SavedQuery }) {
  const { id, name, description, owner, shared, updated_at } = saved;
  return (
    <tr className="linked">
      <td>
        <Link to="/$env/sql" params={{ env }} search={{ saved: id }} className="rowlink statement">
          <Name>{name}</Name>
        </Link>
      </td>
      <td className="wide-only soft">
        <span className="statement">{description === null ? null : <Name>{description}</Name>}</span>
      </td>
      <td>
        <Name>{owner}</Name>
      </td>
      <td>
        <Badge tone={shared ? 'info' : 'plain'}>{shared ? 'shared' : 'private'}</Badge>
      </td>
      <td className="end soft">
        <Time at={updated_at} />
      </td>
    </tr>
  );
}

/** The caller's saved queries, and those that others have shared. */
export function SavedList({ env, search }: { env: string; search: string | undefined }) {
  const query = useInfiniteQuery(savedQueriesQuery(env, search));
  const navigate = useNavigate({ from: '/$env/sql' });
  const find = useCallback(
    (q: string) => void navigate({ search: (now) => ({ ...now, q: q === '' ? undefined : q }), replace: true }),
    [navigate],
  );
  const empty =
    search === undefined ? (
      <Empty
        icon="sql"
        title="No saved queries yet"
        command={svcCommand('saved-query create', ['NAME', 'select 1'], { env })}
      >
        Save above the statement keeps it with its parameters. Only you see it, until you share it.
      </Empty>
    ) : (
      <NoMatch icon="search" title="No saved query matches" onClear={() => find('')} />
    );
  return (
    <>
      <div className="toolbar">
        <SearchBox value={search ?? ''} label="Search names, descriptions and statements" onChange={find} />
      </div>
      <Listing
        query={query}
        columns={COLUMNS}
        empty={empty}
        row={(saved) => <SavedRow key={saved.id} env={env} saved={saved} />}
      />
    </>
  );
}
