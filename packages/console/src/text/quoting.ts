/** An argument of a POSIX shell. */
export const shellArgument = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A command line of svc from its arguments; those that are undefined are left out. */
export const svcCommand = (...args: readonly (string | undefined)[]): string =>
  ['svc', ...args.filter((arg) => arg !== undefined).map(shellArgument)].join(' ');

/** An identifier of SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The name of a table in a statement; the namespace is dotted. */
export const tableIdentifier = (namespace: string, table: string): string =>
  [...namespace.split('.'), table].map(identifier).join('.');
