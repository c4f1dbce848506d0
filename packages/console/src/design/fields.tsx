import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange'> {
  label: string;
  value: string;
  hint?: ReactNode;
  onChange?: (value: string) => void;
}

/** A labelled line of text. */
export function Field({ label, hint, className = '', onChange, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} className={`input ${className}`} onChange={(event) => onChange?.(event.target.value)} />
      {hint === undefined ? null : <p className="hint">{hint}</p>}
    </div>
  );
}

interface PasswordFieldProps extends Pick<FieldProps, 'value' | 'hint' | 'onChange' | 'minLength'> {
  label?: string;
  isNew?: boolean;
}

/** A password that has to be entered. */
export function PasswordField({ label = 'Current password', isNew = false, ...field }: PasswordFieldProps) {
  return (
    <Field
      {...field}
      label={label}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
    />
  );
}
