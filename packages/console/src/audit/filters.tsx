import { EVENT_TYPES } from '@svc/core/audit';
import { Filter, FilterChip } from '../design/filter.tsx';
import { PERIODS } from '../text/periods.ts';
import { localInput, localInputTime } from '../text/times.ts';
import { PrincipalFilter } from './principal-filter.tsx';
import { type AuditFilters, environmentOf, instantOf } from './queries.ts';

const BETWEEN = 'between';

interface TimeFieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <input
      type="datetime-local"
      className="input time-field"
      aria-label={label}
      value={localInput(instantOf(value, Date.now()))}
      onChange={(event) => onChange(localInputTime(event.target.value))}
    />
  );
}

function TimeFilter({ filters, onChange }: FiltersProps) {
  const { since, until } = filters;
  const isBetween = until !== undefined || (since !== undefined && !(since in PERIODS));
  const choose = (value: string | undefined) => {
    if (value !== BETWEEN) return onChange({ since: value, until: undefined });
    const dayAgo = new Date(Date.now() - 86_400_000);
    dayAgo.setSeconds(0, 0);
    onChange({ since: (instantOf(since, Date.now()) ?? dayAgo).toISOString() });
  };
  return (
    <>
      <Filter
        label="Time"
        value={isBetween ? BETWEEN : since}
        choices={[...Object.entries(PERIODS), [BETWEEN, 'Between …']]}
        onChange={choose}
      />
      {isBetween ? (
        <>
          <TimeField label="From" value={since} onChange={(value) => onChange({ since: value })} />
          <span className="soft">to</span>
          <TimeField label="Until" value={until} onChange={(value) => onChange({ until: value })} />
        </>
      ) : null}
    </>
  );
}

interface FiltersProps {
  env: string;
  filters: AuditFilters;
  onChange: (changed: AuditFilters) => void;
}

/** `principalName` is shown for the id that the address has. */
export function Filters({
  env,
  filters,
  onChange,
  principalName,
}: FiltersProps & { principalName: string | undefined }) {
  const { type, principal, namespace, table, request } = filters;
  const environment = environmentOf(env, filters);
  return (
    <search className="row" aria-label="Filters">
      <Filter
        label="Event"
        value={type}
        choices={EVENT_TYPES.map((each) => [each, each])}
        onChange={(changed) => onChange({ type: changed })}
      />
      <TimeFilter env={env} filters={filters} onChange={onChange} />
      {environment === undefined ? (
        <button type="button" className="button" onClick={() => onChange({ scope: undefined })}>
          Only this environment
        </button>
      ) : (
        <FilterChip
          label="environment"
          value={environment}
          onRemove={() => onChange({ scope: 'instance', namespace: undefined, table: undefined })}
        />
      )}
      {namespace === undefined || environment === undefined ? null : (
        <FilterChip
          label={table === undefined ? 'namespace' : 'table'}
          value={table === undefined ? namespace : `${namespace}.${table}`}
          onRemove={() => onChange({ namespace: undefined, table: undefined })}
        />
      )}
      {principal === undefined ? (
        <PrincipalFilter onFind={(id) => onChange({ principal: id })} />
      ) : (
        <FilterChip
          label="principal"
          value={principalName ?? principal}
          onRemove={() => onChange({ principal: undefined })}
        />
      )}
      {request === undefined ? null : (
        <FilterChip label="request" value={request} onRemove={() => onChange({ request: undefined })} />
      )}
    </search>
  );
}
