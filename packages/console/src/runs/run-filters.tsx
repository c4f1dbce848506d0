import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { PERIODS, type RunListFilters } from './queries.ts';
import { TRIGGERS } from './run-status.tsx';

const STATUSES = [
  ['queued,running', 'active'],
  ...['queued', 'running', 'succeeded', 'failed', 'cancelled'].map((status) => [status, status] as const),
] as const;

interface FilterProps {
  label: string;
  value: string | undefined;
  choices: readonly (readonly [string, string])[];
  onChange: (value: string | undefined) => void;
}

function Filter({ label, value, choices, onChange }: FilterProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{label}: any</option>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  );
}

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
          <button key={key} type="button" className="button" onClick={() => onChange({ [key]: undefined })}>
            {key}: <Name>{name}</Name> <span aria-hidden="true">×</span>
            <span className="hidden">(remove this filter)</span>
          </button>
        ),
      )}
    </search>
  );
}
