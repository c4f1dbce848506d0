import { MAX_TEXT } from '@svc/core/access-requests';
import { useId } from 'react';

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A text that a requester or an administrator writes for the other. */
export function TextField({ label, value, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={2}
        maxLength={MAX_TEXT}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
