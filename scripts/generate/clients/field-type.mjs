// The type of a field, without a language: the kinds of its values, and whether it can be null.

/** Kinds: string, integer, number, boolean, time, day, filter (one value or several), strings (a list), map (of strings), mixed (another map), object, objects (a list). */
export function fieldType(schema) {
  const json = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  const kinds = new Set(kindsOf(json, json.$defs));
  const nullable = kinds.delete('null');
  return { kinds: [...kinds], nullable };
}

function kindsOf(json, named) {
  // A schema with a name of its own, such as `#/$defs/QueryTabChart`.
  if (json.$ref) return kindsOf(named[json.$ref.split('/').at(-1)], named);
  if (json.anyOf) return ofUnion(json.anyOf, named);
  if (json.enum?.includes('true')) return ['boolean'];
  switch (json.type) {
    case 'array':
      return [json.items.type === 'object' ? 'objects' : 'strings'];
    case 'object':
      if (!json.additionalProperties) return ['object'];
      return [json.additionalProperties.type === 'string' ? 'map' : 'mixed'];
    case 'string':
      return [json.format === 'date-time' ? 'time' : 'string'];
    case undefined:
      throw new Error(`no type in the client for ${JSON.stringify(json)}`);
    default:
      return [json.type].flat();
  }
}

function ofUnion(parts, named) {
  // One value or several.
  if (parts.length === 2 && parts[0].enum && parts[1].type === 'array') return ['filter'];
  if (parts.length === 2 && parts[0].format === 'date' && parts[1].format === 'date-time') return ['day'];
  return parts.flatMap((part) => kindsOf(part, named));
}
