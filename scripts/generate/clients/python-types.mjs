// Types, default values and conversions of parameters in the Python client.
import { snakeCase } from './model.mjs';

const KINDS = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  time: 'datetime.datetime',
  day: 'datetime.date',
  filter: 'FilterValues',
  strings: 'Sequence[str]',
  map: 'dict[str, str]',
  // A dict[str, str] isn't a dict[str, str | None].
  mixed: 'Any',
  object: 'dict[str, Any]',
  objects: 'Sequence[dict[str, Any]]',
};

const kindText = (kinds) => [...new Set(kinds.map((kind) => KINDS[kind]))];

/** The annotation of several fields that are passed as keywords. */
export function anyOf(fields) {
  const kinds = fields.flatMap(({ type }) => type.kinds);
  const nullable = fields.some(({ type }) => type.nullable);
  return kinds.includes('mixed') ? 'Any' : [...kindText(kinds), ...(nullable ? ['None'] : [])].join(' | ');
}

/** The default of a field: the declared one, the contract's in a body, else None. Undefined if it is required. */
export function defaultOf({ wire, required, from, fallback }, defaults = {}) {
  if (wire in defaults) return defaults[wire];
  if (required) return undefined;
  return from === 'body' ? (fallback ?? null) : null;
}

export function literal(value) {
  if (value === null) return 'None';
  if (Array.isArray(value))
    return `(${value.map((item) => `${literal(item)},`).join(' ')})`.replace(/,\)$/, value.length === 1 ? ',)' : ')');
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** A parameter as it is declared. */
export function declared(field, defaults) {
  const value = defaultOf(field, defaults);
  const name = snakeCase(field.name);
  const { kinds, nullable } = field.type;
  // FilterValues includes None.
  const none = (nullable || value === null) && !kinds.includes('filter') ? ['None'] : [];
  const type = [...kindText(kinds), ...none].join(' | ');
  return `${name}: ${type}${value === undefined ? '' : ` = ${literal(value)}`}`;
}

/** The value of a parameter as it is sent. */
export function sent(field, defaults) {
  const name = snakeCase(field.name);
  const { kinds } = field.type;
  if (kinds.includes('time')) return `moment("${name}", ${name})`;
  if (kinds.includes('day')) return `day_or_moment("${name}", ${name})`;
  if (kinds.includes('filter')) return `comma_separated(${name})`;
  if (kinds.includes('strings') || kinds.includes('objects'))
    return defaultOf(field, defaults) === null ? `None if ${name} is None else [*${name}]` : `[*${name}]`;
  // A flag of a query that isn't set isn't sent.
  if (field.from === 'query' && defaultOf(field, defaults) === false) return `${name} or None`;
  return name;
}
