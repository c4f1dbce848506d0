/** The page of a table by its full name. */
export function tableTarget(env: string, fullName: string) {
  const dot = fullName.lastIndexOf('.');
  const params = { env, namespace: fullName.slice(0, dot), table: fullName.slice(dot + 1) };
  return { to: '/$env/catalog/$namespace/$table', params, search: {} } as const;
}
