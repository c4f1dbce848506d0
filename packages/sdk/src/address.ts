/** The path of a route with its parameters. @throws TypeError for one that is empty or leaves the path */
export function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty`);
    // A lone dot or two would be a step in the path, however it is written.
    if (value === '.' || value === '..') throw new TypeError(`${JSON.stringify(value)} is no ${name}`);
    return encodeURIComponent(value);
  });
}

/**
 * `?name=value…`; a list repeats its name, a time is written in UTC, undefined is left out. An empty list is sent as an empty
 * text, which the service refuses: left out it would ask for everything.
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
