import { Field } from '../design/fields.tsx';

interface ExpiryFieldProps {
  /** As the field has it: a time in the viewer's zone, or empty. */
  value: string;
  onChange: (value: string) => void;
}

/** When a token or a grant expires; empty for never. */
export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  return <Field label="Expires (optional)" type="datetime-local" value={value} onChange={onChange} />;
}
