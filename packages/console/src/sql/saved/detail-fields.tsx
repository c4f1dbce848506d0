import { useId } from 'react';
import { Field } from '../../design/fields.tsx';

export interface Details {
  readonly name: string;
  readonly description: string;
  readonly shared: boolean;
}

interface DetailFieldsProps {
  value: Details;
  /** Only owners name their queries. */
  canRename: boolean;
  onChange: (value: Details) => void;
}

/** The name and description of a saved query, and who can read it. */
export function DetailFields({ value, canRename, onChange }: DetailFieldsProps) {
  const id = useId();
  return (
    <>
      {canRename ? (
        <Field
          label="Name"
          required
          autoComplete="off"
          value={value.name}
          onChange={(text) => onChange({ ...value, name: text })}
        />
      ) : null}
      <div className="field">
        <label htmlFor={`${id}-description`}>Description</label>
        <textarea
          id={`${id}-description`}
          className="input"
          rows={3}
          value={value.description}
          onChange={(event) => onChange({ ...value, description: event.target.value })}
        />
      </div>
      <label className="row">
        <input
          type="checkbox"
          checked={value.shared}
          onChange={(event) => onChange({ ...value, shared: event.target.checked })}
        />
        Share with everyone with SUBMIT_QUERY in this environment
      </label>
      <p className="soft">
        {value.shared
          ? 'They see the statement and the defaults. What a run reads depends on who runs it.'
          : "Only you see a private query. Administrators don't see it either."}
      </p>
    </>
  );
}
