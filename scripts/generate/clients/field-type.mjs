// The type of a field, without a language: the kinds of its values, and whether it can be null.

/** Kinds: string, integer, number, boolean, time, day, filter (one value or several), strings (a list), map (of strings), mixed (another map), object, objects (a list). */
export function fieldType(schema) {
  const kinds = new Set(kindsOf(schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })));
  const nullable = kinds.delete('null');
  return { kinds: [...kinds], nullable };
}

function kindsOf(json) {
  if (json.anyOf) return ofUnion(json.anyOf);
  if (json.enum?.includes('true')) return ['boolean'];
  switch (json.type) {
    case 'array':
      return [json.items.type === 'object' ? 'objects' : 'strings'];
    case 'object':
      if (!json.additionalProperties) return ['object'];
      return [json.additionalProperties.type === 'string' ? 'map' : 'mixed'];
    case 'string':
      return [json.format === 'date-time' ? 'time' : 'string'];
    default:
      return [json.type].flat();
  }
}

function ofUnion(parts) {
  // One value or several.
  if (parts.length === 2 && parts[0].enum && parts[1].type === 'array') return ['filter'];
  if (parts.length === 2 && parts[0].format === 'date' && parts[1].format === 'date-time') return ['day'];
  return parts.flatMap(kindsOf);
}
