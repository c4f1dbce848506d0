/** Object kinds, outermost first (ACCESS-1), then service accounts, which are inside the instance only (ACCESS-45). */
export const OBJECT_KINDS = ['INSTANCE', 'ENVIRONMENT', 'NAMESPACE', 'TABLE', 'SERVICE_ACCOUNT'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** An object identified by its names; a namespace is dotted (`a.b`). */
export interface ObjectScope {
  kind: ObjectKind;
  environment: string | null;
  namespace: string | null;
  table: string | null;
  /** Only of kind `SERVICE_ACCOUNT`. */
  service_account?: string | undefined;
}

export const INSTANCE: ObjectScope = { kind: 'INSTANCE', environment: null, namespace: null, table: null };

/** Names of an object: of a service account, or of an environment and what is inside it. */
export interface ObjectNames {
  environment?: string | null | undefined;
  namespace?: string | null | undefined;
  table?: string | null | undefined;
  service_account?: string | null | undefined;
}

/** The object that the names identify; the innermost name decides the kind. */
export function scopeOf(names: ObjectNames): ObjectScope {
  const { service_account } = names;
  if (service_account != null) return { ...INSTANCE, kind: 'SERVICE_ACCOUNT', service_account };
  const { environment = null, namespace = null, table = null } = names;
  const kind =
    table !== null ? 'TABLE' : namespace !== null ? 'NAMESPACE' : environment !== null ? 'ENVIRONMENT' : 'INSTANCE';
  return { kind, environment, namespace, table };
}

/** The object as audit events record it: names that don't apply are null, and the instance has none. */
export function eventObject(scope: ObjectScope): ObjectScope | { kind: 'INSTANCE' } {
  return scope.kind === 'INSTANCE' ? { kind: 'INSTANCE' } : scope;
}

/** The object as the command line writes it (ACCESS-1); `the instance` instead of an empty text. */
export function scopeText(scope: ObjectScope): string {
  if (scope.service_account !== undefined) return `the service account ${scope.service_account}`;
  return [scope.environment, scope.namespace, scope.table].filter((part) => part !== null).join('/') || 'the instance';
}

/** `a.b.c` → `['a', 'a.b', 'a.b.c']`. */
export function namespaceChain(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
}

/** The comparison key of a name: namespaces and tables ignore letter case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** Whether a grant on `outer` covers `inner` (ACCESS-2). */
export function covers(outer: ObjectScope, inner: ObjectScope): boolean {
  if (outer.kind === 'INSTANCE') return true;
  if (outer.kind === 'SERVICE_ACCOUNT')
    return inner.kind === 'SERVICE_ACCOUNT' && inner.service_account === outer.service_account;
  if (inner.environment !== outer.environment) return false;
  if (outer.kind === 'ENVIRONMENT') return inner.kind !== 'INSTANCE';
  if (inner.namespace === null || outer.namespace === null) return false;
  const [outerPath, innerPath] = [nameKey(outer.namespace), nameKey(inner.namespace)];
  if (outer.kind === 'NAMESPACE') return innerPath === outerPath || innerPath.startsWith(`${outerPath}.`);
  return inner.kind === 'TABLE' && innerPath === outerPath && nameKey(inner.table!) === nameKey(outer.table!);
}
