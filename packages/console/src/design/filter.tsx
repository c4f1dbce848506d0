import { Name } from './name.tsx';
import { Options } from './options.tsx';

interface FilterProps {
  label: string;
  value: string | undefined;
  choices: readonly (readonly [value: string, text: string])[];
  onChange: (value: string | undefined) => void;
}

/** One of several values, or any. */
export function Filter({ label, value, choices, onChange }: FilterProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{label}: any</option>
      <Options of={choices} />
    </select>
  );
}

/** A filter that a link has set, with the way to remove it. */
export function FilterChip({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <button type="button" className="button" onClick={onRemove}>
      {label}: <Name>{value}</Name> <span aria-hidden="true">×</span>
      <span className="hidden">(remove this filter)</span>
    </button>
  );
}
