import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../design/page-header.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { EventTable } from './event-table.tsx';
import { Filters } from './filters.tsx';
import { Integrity } from './integrity.tsx';
import { type AuditFilters, auditQuery, environmentOf } from './queries.ts';
import './audit.css';

function commandOf(env: string, filters: AuditFilters): string {
  const environment = environmentOf(env, filters);
  const { type, principal, namespace, table, request, since, until } = filters;
  return svcCommand('audit list', null, {
    'event-type': type,
    'principal-id': principal,
    env: environment,
    ...(environment === undefined ? {} : { ns: namespace, table }),
    'request-id': request,
    since,
    until,
  });
}

/** The audit log: its events, and whether it is complete and unchanged. */
export function AuditPage() {
  const { env } = useParams({ from: '/signed-in/$env/audit' });
  const { tab, event, ...filters } = useSearch({ from: '/signed-in/$env/audit' });
  const navigate = useNavigate({ from: '/$env/audit' });
  useTitle('Audit', env);
  const isIntegrity = tab === 'integrity';
  const change = (changed: AuditFilters) => void navigate({ search: { ...filters, event, ...changed } });
  return (
    <div className="page">
      <PageHeader
        title="Audit"
        command={isIntegrity ? svcCommand('audit verify', null, {}) : commandOf(env, filters)}
      />
      <Tabs label="Parts of the audit log">
        <Link
          to="/$env/audit"
          params={{ env }}
          search={filters}
          activeOptions={{ exact: true, includeSearch: isIntegrity }}
        >
          Events
        </Link>
        <Link to="/$env/audit" params={{ env }} search={{ ...filters, tab: 'integrity' }} activeOptions={WHOLE_ADDRESS}>
          Integrity and export
        </Link>
      </Tabs>
      {isIntegrity ? (
        <Integrity since={filters.since} />
      ) : (
        <Events env={env} filters={filters} onChange={change} onClear={() => void navigate({ search: {} })} />
      )}
    </div>
  );
}

interface EventsProps {
  env: string;
  filters: AuditFilters;
  onChange: (changed: AuditFilters) => void;
  onClear: () => void;
}

function Events({ env, filters, onChange, onClear }: EventsProps) {
  const query = useInfiniteQuery(auditQuery(env, filters));
  const events = query.data?.pages.flatMap(({ items }) => items);
  const principalName = events?.find(({ principal_id }) => principal_id === filters.principal)?.principal ?? undefined;
  return (
    <>
      <Filters env={env} filters={filters} principalName={principalName} onChange={onChange} />
      <section className="card" aria-label="Events">
        <EventTable query={query} onFilter={onChange} onClear={onClear} />
      </section>
    </>
  );
}
