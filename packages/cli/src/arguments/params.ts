import type { BodyOf, SavedQuery } from '@svc/sdk';
import { usageError } from '../cli-error.ts';

export type Params = NonNullable<BodyOf<'queries.create'>['params']>;
type Param = string | { type: string; value: string };
type SavedParameters = BodyOf<'savedQueries.create'>['parameters'];

const VALUE = /^([A-Za-z_]\w*|[1-9]\d{0,3})(?::([^=]+))?=(.*)$/s;
const PARAMETER = /^([A-Za-z_]\w*|[1-9]\d{0,3})(?::([^=]+))?(?:=(.*))?$/s;

/** `NAME=VALUE` is a text, `NAME:TYPE=VALUE` a value of that type. A name is that of `$name`, or the number of a `?`. */
export function readParams(texts: readonly string[]): Params | undefined {
  return texts.length === 0 ? undefined : paramsOf(readValues(texts));
}

function readValues(texts: readonly string[]): Map<string, Param> {
  const params = new Map<string, Param>();
  for (const text of texts) {
    const [, name, type, value] = VALUE.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`--param ${text} must have the form NAME=VALUE or NAME:TYPE=VALUE.`);
    if (params.has(name)) throw usageError(`The parameter ${name} is given twice.`);
    params.set(name, type === undefined ? value : { type, value });
  }
  return params;
}

/** The values as the service takes them: a list if all parameters have numbers. */
function paramsOf(params: ReadonlyMap<string, Param>): Params {
  const names = [...params.keys()];
  const numbered = names.filter((name) => /^\d/.test(name));
  if (numbered.length === 0) return Object.fromEntries(params);
  if (numbered.length < names.length)
    throw usageError(`A statement has either names or numbers of parameters: ${names.join(', ')}.`);
  return names.map((_, index) => {
    const value = params.get(String(index + 1));
    if (value === undefined) throw usageError(`The parameter number ${index + 1} has no value.`);
    return value;
  });
}

/** The values of a run of a saved query: those of the options, in the saved types, and the defaults of the others. */
export function savedParams({ parameters }: SavedQuery, texts: readonly string[]): Params | undefined {
  const entered = readValues(texts);
  const values = new Map<string, Param>();
  const add = (name: string, type: string, value: string) => {
    values.set(name, type === 'string' ? value : { type, value });
  };
  for (const { name, type, default: text } of parameters) {
    const own = [...entered.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
    const value = own === undefined ? text : entered.get(own)!;
    if (own !== undefined) entered.delete(own);
    if (value === null) throw usageError(`The parameter ${name} needs a value: -p ${name}=VALUE.`);
    if (typeof value === 'string') add(name, type, value);
    else values.set(name, value);
  }
  for (const [name, value] of entered) values.set(name, value);
  return values.size === 0 ? undefined : paramsOf(values);
}

/** Declarations `NAME[:TYPE][=DEFAULT]` of the parameters of a saved query. */
export function readParameters(texts: readonly string[]): NonNullable<SavedParameters> {
  return texts.map((text) => {
    const [, name, type = 'string', value = null] = PARAMETER.exec(text) ?? [];
    if (name === undefined) throw usageError(`--param ${text} must have the form NAME[:TYPE][=DEFAULT].`);
    return { name, type, default: value };
  });
}
