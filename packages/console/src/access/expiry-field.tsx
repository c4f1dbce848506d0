import { useId } from 'react';

interface ExpiryFieldProps {
  /** As the field has it: a time in the viewer's zone, or empty. */
  value: string;
  onChange: (value: string) => void;
}

/** When a token or a grant expires; empty for never. */
export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Expires (optional)</label>
      <input
        id={id}
        type="datetime-local"
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
