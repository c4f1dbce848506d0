/** The address of a service in one spelling: without a slash at the end, default ports and capitals in the host. */
export function baseAddress(text: string): string {
  const { origin, pathname } = URL.canParse(text) ? new URL(text) : { origin: '', pathname: text };
  // bounded: the program's own configuration.
  return (origin + pathname).replace(/\/+$/, '');
}

/** Builds the path of a route. @throws TypeError for a parameter that is empty or changes the path */
export function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a non-empty string`);
    // `.` and `..` are path steps, even when they are encoded.
    if (value === '.' || value === '..') throw new TypeError(`${JSON.stringify(value)} is not a valid ${name}`);
    return encodeURIComponent(value);
  });
}

/**
 * Builds `?name=value…`: lists repeat their name, times are in UTC, undefined is left out. An empty list is sent as an empty
 * text, which the service rejects, because leaving it out would select everything.
 */
export function queryText(query: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value.length === 0 ? [''] : value) : [value]) {
      if (one !== undefined) pairs.append(name, one instanceof Date ? one.toISOString() : String(one));
    }
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

/** Splits `<namespace>.<table>` into route parameters. @throws TypeError for an invalid name */
export function tableParams(env: string, table: string): { env: string; path: string; name: string } {
  const dot = table.lastIndexOf('.');
  if (dot <= 0 || dot === table.length - 1) {
    throw new TypeError(`${JSON.stringify(table)} is not a table name. Use <namespace>.<table>.`);
  }
  return { env, path: table.slice(0, dot), name: table.slice(dot + 1) };
}
