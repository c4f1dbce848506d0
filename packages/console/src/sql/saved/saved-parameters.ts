import type { SavedQuery } from '@svc/sdk/browser';
import { EMPTY_INPUT, keyOf, NULL, type ParameterInput, type ParameterInputs } from '../parameters.ts';

type SavedParameters = SavedQuery['parameters'];

/** The parameters to save with a statement. A field without a value has no default: a run needs one. */
export function savedParametersOf(
  names: readonly string[],
  inputs: ParameterInputs,
  { withValues }: { readonly withValues: boolean },
): SavedParameters {
  return names.map((name) => {
    const { type, value } = inputs.get(keyOf(name)) ?? EMPTY_INPUT;
    if (type === NULL) return { name, type: EMPTY_INPUT.type, default: null };
    return { name, type, default: withValues && value !== '' ? value : null };
  });
}

/** The parameters of a changed statement: a default stays as long as its parameter has the same type. */
export function changedParametersOf(
  saved: SavedParameters,
  names: readonly string[],
  inputs: ParameterInputs,
): SavedParameters {
  return savedParametersOf(names, inputs, { withValues: false }).map((parameter) => {
    const before = saved.find(({ name }) => keyOf(name) === keyOf(parameter.name));
    const isNull = inputs.get(keyOf(parameter.name))?.type === NULL;
    return before !== undefined && (isNull || before.type === parameter.type)
      ? { ...parameter, type: before.type, default: before.default }
      : parameter;
  });
}

/** The fields of a saved query: its defaults. */
export const savedInputsOf = (parameters: SavedParameters): ParameterInputs =>
  new Map(
    parameters.map(({ name, type, default: value }): [string, ParameterInput] => [
      keyOf(name),
      { type, value: value ?? '' },
    ]),
  );

/** The values of `-p` of `svc saved-query`. */
export const declarationsOf = (parameters: SavedParameters): readonly string[] =>
  parameters.map(
    ({ name, type, default: value }) =>
      `${name}${type === EMPTY_INPUT.type ? '' : `:${type}`}${value === null ? '' : `=${value}`}`,
  );

/** The values of `-p` of `svc sql --saved`: those that aren't the defaults. Null if one is NULL, which the command can't send. */
export function savedOptionsOf(
  parameters: SavedParameters,
  names: readonly string[],
  inputs: ParameterInputs,
): readonly string[] | null {
  const saved = savedInputsOf(parameters);
  const options = names.map((name) => {
    const input = inputs.get(keyOf(name)) ?? EMPTY_INPUT;
    const { type, value } = saved.get(keyOf(name)) ?? { type: null, value: null };
    if (input.type === NULL) return null;
    // An empty default is one that a run has to name.
    if (input.type === type && input.value === value && value !== '') return [];
    return [
      input.type === (type ?? EMPTY_INPUT.type) ? `${name}=${input.value}` : `${name}:${input.type}=${input.value}`,
    ];
  });
  return options.every((option) => option !== null) ? options.flat() : null;
}
