import { Filter, FilterChip } from '../design/filter.tsx';
import { Time } from '../design/time.tsx';
import { PERIODS } from '../text/periods.ts';
import type { RunListFilters } from './queries.ts';
import { TRIGGERS } from './run-status.tsx';

const STATUSES = [
  ['queued,running', 'active'],
  ...['queued', 'running', 'succeeded', 'failed', 'cancelled'].map((status) => [status, status] as const),
] as const;

interface RunFiltersProps {
  filters: RunListFilters;
  onChange: (changed: RunListFilters) => void;
  hasTime?: boolean;
}

/** The filters of the address. */
export function RunFilters({ filters, onChange, hasTime = false }: RunFiltersProps) {
  const { status, trigger, since, until, job, repository } = filters;
  const names = [
    ['job', job],
    ['repository', repository],
  ] as const;
  return (
    <search className="row" aria-label="Filters">
      <Filter label="Status" value={status} choices={STATUSES} onChange={(changed) => onChange({ status: changed })} />
      <Filter
        label="Trigger"
        value={trigger}
        choices={Object.entries(TRIGGERS)}
        onChange={(changed) => onChange({ trigger: changed })}
      />
      {hasTime && until === undefined ? (
        <Filter
          label="Time"
          value={since}
          choices={Object.entries(since === undefined || since in PERIODS ? PERIODS : { ...PERIODS, [since]: since })}
          onChange={(changed) => onChange({ since: changed })}
        />
      ) : null}
      {hasTime && until !== undefined ? (
        <button type="button" className="button" onClick={() => onChange({ until: undefined })}>
          {since ?? 'Before'} until <Time at={until} absolute /> <span aria-hidden="true">×</span>
          <span className="hidden">(remove this filter)</span>
        </button>
      ) : null}
      {names.map(([key, name]) =>
        name === undefined ? null : (
          <FilterChip key={key} label={key} value={name} onRemove={() => onChange({ [key]: undefined })} />
        ),
      )}
    </search>
  );
}
