import { eventText } from '@svc/core/audit';
import type { AuditEvent, Page } from '@svc/sdk/browser';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { objectText } from '../catalog/object-target.ts';
import { Badge } from '../design/badge.tsx';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { NoMatch } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { EventDetail } from './event-detail.tsx';
import type { AuditFilters } from './queries.ts';

const DENIALS: readonly string[] = ['AUTHORIZATION_DENIED', 'SIGN_IN_FAILED'];
const COLUMNS = ['Event', 'Principal', ['Object', 'wide-only'], ['Detail', 'wide-only'], ['Time', 'end']] as const;

interface EventRowProps {
  event: AuditEvent;
  isOpen: boolean;
  onFilter: (changed: AuditFilters) => void;
}

function EventRow({ event, isOpen, onFilter }: EventRowProps) {
  const { id, type, principal, object, time } = event;
  const detail = useId();
  return (
    <>
      <tr className={isOpen ? 'linked open' : 'linked'}>
        <td className="fit">
          <Link
            to="."
            search={(search: object) => ({ ...search, event: isOpen ? undefined : id })}
            replace
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            className="rowlink mono"
          >
            {DENIALS.includes(type) ? <Badge tone="bad">{type}</Badge> : type}
          </Link>
        </td>
        <td>{principal === null ? <span className="soft">–</span> : <Name>{principal}</Name>}</td>
        <td className="wide-only">
          <Name>{objectText(object)}</Name>
        </td>
        <td className="wide-only soft">
          <Name>{eventText(event)}</Name>
        </td>
        <td className="end soft">
          <Time at={time} />
        </td>
      </tr>
      {isOpen ? (
        <tr id={detail} className="open">
          <td colSpan={COLUMNS.length}>
            <EventDetail event={event} onFilter={onFilter} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

interface EventTableProps {
  query: UseInfiniteQueryResult<InfiniteData<Page<AuditEvent>>>;
  onFilter: (changed: AuditFilters) => void;
  onClear: () => void;
}

/** The events, newest first; the address names the one whose details are shown. */
export function EventTable({ query, onFilter, onClear }: EventTableProps) {
  const { event: shown } = useSearch({ from: '/signed-in/$env/audit' });
  return (
    <Listing
      query={query}
      columns={COLUMNS}
      className="events"
      empty={<NoMatch icon="audit" title="No event matches" onClear={onClear} />}
      row={(event) => <EventRow key={event.id} event={event} isOpen={event.id === shown} onFilter={onFilter} />}
    />
  );
}
