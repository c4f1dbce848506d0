import { EVENTS } from '@svc/core/audit';
import type { AuditEvent } from '@svc/sdk/browser';
import { Link, type NavigateOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { objectTarget, objectText } from '../catalog/object-target.ts';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { count } from '../text/numbers.ts';
import { visibleLines } from '../text/visible.ts';
import { fieldTarget } from './event-links.ts';
import { eventValue } from './event-value.ts';
import type { AuditFilters } from './queries.ts';

function Linked({ target, children }: { target: NavigateOptions | undefined; children: ReactNode }) {
  if (target === undefined) return children;
  return (
    <Link {...target} className="link">
      {children}
    </Link>
  );
}

function Value({ event, field }: { event: AuditEvent; field: string }) {
  const shown = eventValue(field, event.detail[field]);
  if (shown.kind === 'none') return '–';
  if (shown.kind === 'code') return <pre className="code">{visibleLines(shown.text)}</pre>;
  if (shown.kind === 'hidden')
    return (
      <span className="soft" title="Content of other people's events needs READ_QUERY_TEXT on the instance">
        {shown.text}
      </span>
    );
  return (
    <Linked target={fieldTarget(event, field)}>
      <Name>{shown.text}</Name>
    </Linked>
  );
}

/** A button that narrows the list to what the event has. */
function Only({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className="button small" onClick={onClick}>
      Only this {what}
    </button>
  );
}

interface EventDetailProps {
  event: AuditEvent;
  onFilter: (changed: AuditFilters) => void;
}

/** Everything that an event records. */
export function EventDetail({ event, onFilter }: EventDetailProps) {
  const { id, sequence, time, type, principal, principal_id, object, request_id, detail } = event;
  const { namespace, table } = object;
  const envelope: [string, ReactNode][] = [
    ['Time', <Time key="time" at={time} absolute />],
    [
      'Principal',
      <span key="principal" className="row">
        {principal === null ? 'none' : <Name>{principal}</Name>}
        {principal_id === null ? null : <Only what="principal" onClick={() => onFilter({ principal: principal_id })} />}
      </span>,
    ],
    [
      'Object',
      <span key="object" className="row">
        <Linked target={objectTarget(object)}>
          <Name>{objectText(object)}</Name>
        </Linked>
        {namespace ? (
          <Only
            what={table ? 'table' : 'namespace'}
            onClick={() => onFilter({ namespace, table: table ?? undefined })}
          />
        ) : null}
      </span>,
    ],
    [
      'Request',
      request_id === null ? (
        'none'
      ) : (
        <span key="request" className="row">
          <span className="mono">
            <Name>{request_id}</Name>
          </span>
          <Only what="request" onClick={() => onFilter({ request: request_id })} />
        </span>
      ),
    ],
    [
      'Event',
      <span
        key="id"
        className="mono"
      >{`${id}${sequence === null ? ', not yet sealed' : `, number ${count(sequence)}`}`}</span>,
    ],
  ];
  return (
    <div className="stack event-detail">
      {/* A later version may have written a type that this one doesn't know. */}
      {EVENTS[type] === undefined ? null : (
        <p className="soft">Recorded when {EVENTS[type].recorded.replaceAll('`', '')}.</p>
      )}
      <dl className="pairs">
        {envelope.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {Object.keys(detail).map((field) => (
          <div key={`detail ${field}`}>
            <dt className="mono">
              <Name>{field}</Name>
            </dt>
            <dd>
              <Value event={event} field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
