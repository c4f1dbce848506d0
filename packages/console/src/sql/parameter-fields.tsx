import { type KeyboardEvent, useId } from 'react';
import { Name } from '../design/name.tsx';
import { Options } from '../design/options.tsx';
import { visible } from '../text/visible.ts';
import {
  EMPTY_INPUT,
  keyOf,
  PARAMETER_TYPES,
  type ParameterInput,
  type ParameterInputs,
  written,
} from './parameters.ts';

interface FieldProps {
  name: string;
  input: ParameterInput;
  error: string | null;
  onChange: (input: ParameterInput) => void;
}

function ParameterField({ name, input, error, onChange }: FieldProps) {
  const id = useId();
  const { type, value } = input;
  const isNull = type === 'null';
  // A field of one line would drop the line breaks of the value.
  const Field = value.includes('\n') ? 'textarea' : 'input';
  return (
    <div className="parameter">
      <label htmlFor={id} className="mono">
        <Name>{written(name)}</Name>
      </label>
      <Field
        id={id}
        className="input"
        spellCheck={false}
        autoComplete="off"
        disabled={isNull}
        value={isNull ? '' : value}
        placeholder={PARAMETER_TYPES[type] ?? ''}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={(event) => onChange({ type, value: event.target.value })}
      />
      <select
        className="select"
        aria-label={`Type of ${visible(written(name))}`}
        value={type}
        onChange={(event) => onChange({ type: event.target.value, value })}
      >
        {Object.hasOwn(PARAMETER_TYPES, type) ? null : <option value={type}>{type}</option>}
        <Options of={Object.keys(PARAMETER_TYPES)} />
      </select>
      {error === null ? null : (
        <p id={`${id}-error`} className="parameter-error name">
          {visible(`${written(name)}: ${error}`)}
        </p>
      )}
    </div>
  );
}

interface ParameterFieldsProps {
  names: readonly string[];
  inputs: ParameterInputs;
  /** The parameter that the last run failed for, and why. */
  error: { readonly name: string; readonly message: string } | null;
  onChange: (inputs: ParameterInputs) => void;
  onRun: () => void;
}

/** The values of the parameters of the statement. */
export function ParameterFields({ names, inputs, error, onChange, onRun }: ParameterFieldsProps) {
  if (names.length === 0) return null;
  const runOnEnter = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const isField = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (!isField && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    onRun();
  };
  return (
    <fieldset className="parameters" aria-label="Parameters" onKeyDown={runOnEnter}>
      {names.map((name) => (
        <ParameterField
          key={keyOf(name)}
          name={name}
          input={inputs.get(keyOf(name)) ?? EMPTY_INPUT}
          error={error?.name === name ? error.message : null}
          onChange={(input) => onChange(new Map(inputs).set(keyOf(name), input))}
        />
      ))}
    </fieldset>
  );
}
