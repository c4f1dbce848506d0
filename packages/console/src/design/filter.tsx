interface FilterProps {
  label: string;
  value: string | undefined;
  choices: readonly (readonly [string, string])[];
  onChange: (value: string | undefined) => void;
}

/** A choice that is a part of the address; without a value, it filters nothing. */
export function Filter({ label, value, choices, onChange }: FilterProps) {
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
