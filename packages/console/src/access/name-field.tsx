interface NameFieldProps {
  label?: string;
  value: string;
  onChange: (name: string) => void;
}

/** The name of a principal or group. */
export function NameField({ label = 'Principal', value, onChange }: NameFieldProps) {
  return (
    <input
      className="input field-input"
      aria-label={label}
      placeholder={label}
      required
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
