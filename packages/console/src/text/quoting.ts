/** An argument of a POSIX shell. */
export const shellArgument = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A command line of svc from its words; a word that is undefined is left out. */
export const svcCommand = (...words: readonly (string | undefined)[]): string =>
  ['svc', ...words.filter((word) => word !== undefined).map(shellArgument)].join(' ');

/** An identifier of SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The name of a table in a statement; the namespace is dotted. */
export const tableIdentifier = (namespace: string, table: string): string =>
  [...namespace.split('.'), table].map(identifier).join('.');
