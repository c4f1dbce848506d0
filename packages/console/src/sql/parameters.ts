import type { QueryParam, QueryParams } from '@svc/core/queries';
import { MAX_PARAMETERS, tryTokenize } from '@svc/core/sql-tokens';

/** What the caller has entered for a parameter. The service reads the text as a value of the type. */
export interface ParameterInput {
  readonly type: string;
  readonly value: string;
}

/** Inputs by the key of their parameter. */
export type ParameterInputs = ReadonlyMap<string, ParameterInput>;

export const EMPTY_INPUT: ParameterInput = { type: 'string', value: '' };

/** The type of a value that is missing in SQL. Its text is ignored. */
export const NULL = 'null';

/** The types that the page offers, with an example of a value. */
export const PARAMETER_TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: '42',
  long: '42',
  double: '0.5',
  'decimal(38,9)': '0.5',
  boolean: 'true or false',
  date: '2026-03-01',
  time: '13:30:00',
  timestamp: '2026-03-01 13:30:00',
  timestamptz: '2026-03-01 13:30:00+00',
  uuid: '01997c2e-7b7a-7c1e-8000-000000000001',
  [NULL]: '',
};

/** Names ignore letter case. */
export const keyOf = (name: string): string => name.toLowerCase();

const isPosition = (name: string): boolean => /^\d+$/.test(name);

/** How a statement writes a parameter; `?` is one with a number. */
export const written = (name: string): string => (isPosition(name) ? `number ${name}` : `$${name}`);

/**
 * The parameters of a statement without their dollar signs, each once: names in the order of the statement, or numbers from 1,
 * which `?` has too. Null if the statement isn't complete.
 */
export function parametersOf(sql: string): readonly string[] | null {
  if (!/[$?]/.test(sql)) return [];
  const statement = tryTokenize(sql);
  if (statement === null) return null;
  const found = new Map<string, string>();
  for (const { kind, text } of statement.tokens) {
    if (kind !== 'parameter') continue;
    const name = text.slice(1);
    if (!found.has(keyOf(name))) found.set(keyOf(name), name);
  }
  const names = [...found.values()].slice(0, MAX_PARAMETERS);
  return names.every(isPosition) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

function paramOf({ type, value }: ParameterInput): QueryParam {
  if (type === NULL) return null;
  return type === 'string' ? value : { type, value };
}

/** The values of a request for these parameters; undefined without parameters. */
export function paramsOf(names: readonly string[], inputs: ParameterInputs): QueryParams | undefined {
  if (names.length === 0) return undefined;
  const inputOf = (name: string) => paramOf(inputs.get(keyOf(name)) ?? EMPTY_INPUT);
  if (!names.every(isPosition))
    // The service reports the number of a parameter that a statement mixes with names.
    return Object.fromEntries(names.filter((name) => !isPosition(name)).map((name) => [name, inputOf(name)]));
  const length = Math.min(Number(names.at(-1)), MAX_PARAMETERS);
  return Array.from({ length }, (_, index) => inputOf(String(index + 1)));
}

/** The inputs that have these values. */
export function inputsOf(params: QueryParams | undefined): ParameterInputs {
  if (params === undefined) return new Map();
  const named: [string, QueryParam][] = Array.isArray(params)
    ? params.map((param, index) => [String(index + 1), param])
    : Object.entries(params);
  return new Map(named.map(([name, param]) => [keyOf(name), inputOf(param)]));
}

function inputOf(param: QueryParam): ParameterInput {
  const { type, value } = typeof param === 'object' && param !== null ? param : { type: typeOf(param), value: param };
  return value === null ? { type: NULL, value: '' } : { type, value: String(value) };
}

const INT = 2 ** 31;

function typeOf(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'number') return 'string';
  if (!Number.isSafeInteger(value)) return 'double';
  return value >= -INT && value < INT ? 'int' : 'long';
}

/** The parameter that an error is about: by its name, or by its value if only one parameter has it. */
export function parameterOfError(
  names: readonly string[],
  inputs: ParameterInputs,
  { code, message }: { readonly code: string; readonly message: string },
): string | null {
  if (code === 'wrong-parameters') return names.find((name) => message.includes(` ${written(name)},`)) ?? null;
  if (!/could not convert|field format|out of range/i.test(message)) return null;
  const quoted = names.filter((name) => {
    const { value } = inputs.get(keyOf(name)) ?? EMPTY_INPUT;
    return message.includes(`'${value}'`) || message.includes(`"${value}"`);
  });
  return quoted.length === 1 ? quoted[0]! : null;
}

/** The values of `-p` for the command line; null if they aren't all named values. */
export function optionsOf(names: readonly string[], inputs: ParameterInputs): readonly string[] | null {
  const options = names.map((name) => {
    const { type, value } = inputs.get(keyOf(name)) ?? EMPTY_INPUT;
    if (isPosition(name) || type === NULL) return null;
    return type === 'string' ? `${name}=${value}` : `${name}:${type}=${value}`;
  });
  return options.every((option) => option !== null) ? options : null;
}
