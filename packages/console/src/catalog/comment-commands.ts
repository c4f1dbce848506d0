import { svcCommand } from '../text/commands.ts';

/** What a change of a comment needs: in a protected environment, `breakGlass` has the reason. */
export interface CommentChange {
  /** Null removes the comment. */
  readonly text: string | null;
  readonly breakGlass?: string | undefined;
}

interface TableNames {
  readonly env: string;
  readonly namespace: string;
  readonly table: string;
}

const breakGlassOptions = (reason: string | undefined) => (reason === undefined ? {} : { 'break-glass': true, reason });

export function describeTableCommand(names: TableNames, { text, breakGlass }: CommentChange): string {
  const options = { env: names.env, description: text ?? '', ...breakGlassOptions(breakGlass) };
  return svcCommand('table update', `${names.namespace}.${names.table}`, options);
}

export function describeColumnCommand(names: TableNames, column: string, { text, breakGlass }: CommentChange): string {
  const { env, namespace, table } = names;
  // `table update` ends the name of the column at its first "=".
  if (column.includes('='))
    return patchCommand(
      `environments/${env}/namespaces/${namespace}/tables/${table}`,
      { column_descriptions: { [column]: text } },
      breakGlass,
    );
  const options = { env, 'column-description': `${column}=${text ?? ''}`, ...breakGlassOptions(breakGlass) };
  return svcCommand('table update', `${namespace}.${table}`, options);
}

export const describeNamespaceCommand = (env: string, namespace: string, { text }: CommentChange): string =>
  patchCommand(`environments/${env}/namespaces/${namespace}`, { description: text });

const patchCommand = (path: string, body: object, breakGlass?: string): string =>
  svcCommand('api', ['PATCH', path], { body: JSON.stringify(body), ...breakGlassOptions(breakGlass) });
