// Types of parameters in the TypeScript client.
import { camelCase, paged } from './model.mjs';

const KINDS = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  time: 'Date | string',
  day: 'Date | string',
  filter: 'string | readonly string[]',
  strings: 'readonly string[]',
  map: 'Record<string, string>',
};

export function typeText({ kinds, nullable }) {
  const unknown = kinds.find((kind) => !(kind in KINDS));
  if (unknown) throw new Error(`A parameter of the TypeScript client can't be of the kind ${unknown}.`);
  return [...new Set(kinds.map((kind) => KINDS[kind])), ...(nullable ? ['null'] : [])].join(' | ');
}

/** A field in a type; optional ones also accept undefined. */
export const interfaceField = ({ name, type, required }) =>
  required ? `${name}: ${typeText(type)}` : `${name}?: ${typeText(type)} | undefined`;

/** The type of a method's last parameter, which also has the options of every call. */
export function optionsType({ type, camelCase: both, breakGlass, positional, route }, fields) {
  const call = breakGlass ? 'CallOptions & BreakGlass' : 'CallOptions';
  if (fields.length === 0) return call;
  const hasPages = fields.some(({ wire }) => paged.has(wire));
  if (both) return `${hasPages ? 'Paging' : call} & ${type}`;
  if (type) return type;
  if (fields.every(({ wire }) => paged.has(wire))) return 'Paging';
  if (fields[0].from === 'query' || fields.length === 1)
    return `${call} & { ${fields.map(interfaceField).join('; ')} }`;
  const omitted = positional.map(({ wire }) => `'${wire}'`).join(' | ');
  return `${call} & ${omitted === '' ? `BodyOf<'${route}'>` : `Omit<BodyOf<'${route}'>, ${omitted}>`}`;
}

/** Declarations of the types that methods name. */
export function typeDeclarations(methods, comment) {
  const found = new Map();
  for (const method of methods) {
    // Of several methods with the type, one has all of it.
    const better = method.positional.length < (found.get(method.type)?.positional.length ?? Number.POSITIVE_INFINITY);
    if (method.type && better) found.set(method.type, method);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, method]) => [...comment(0, [aboutOf(name, methods)]), declaration(name, method)].join('\n'));

  function declaration(name, { named, object, camelCase: both, route }) {
    if (object && named[0].from === 'body') return `export type ${name} = BodyOf<'${route}'>;`;
    const own = both ? named.filter(({ wire }) => !paged.has(wire)).flatMap(spellings) : named;
    const sorted = [...own.filter((field) => field.required), ...own.filter((field) => !field.required)];
    const lines = sorted.flatMap((field) => [
      ...(field.description ? comment(2, [`${field.description}.`]) : []),
      `  ${interfaceField(field)};`,
    ]);
    return [`export interface ${name}${both || object ? '' : ' extends CallOptions'} {`, ...lines, '}'].join('\n');
  }
}

const spellings = (field) => {
  const other = camelCase(field.name);
  return other === field.name ? [field] : [field, { ...field, name: other, description: undefined }];
};

function aboutOf(name, methods) {
  const users = methods.filter(({ type }) => type === name).map((method) => `\`${method.resource}.${method.name}\``);
  const both = methods.some(({ type, camelCase: also }) => type === name && also);
  return `Options of ${[...new Set(users)].join(' and ')}.${both ? ' Fields as on the wire or in camel case.' : ''}`;
}
