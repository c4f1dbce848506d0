/** Object kinds, outermost first (ACCESS-1). */
export const OBJECT_KINDS = ['INSTANCE', 'ENVIRONMENT', 'NAMESPACE', 'TABLE'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** An object identified by its names; a namespace is dotted (`a.b`). */
export interface ObjectScope {
  kind: ObjectKind;
  environment: string | null;
  namespace: string | null;
  table: string | null;
}

export const INSTANCE: ObjectScope = { kind: 'INSTANCE', environment: null, namespace: null, table: null };

/** The object that the names identify; the innermost name decides the kind. */
export function scopeOf(names: {
  environment?: string | null | undefined;
  namespace?: string | null | undefined;
  table?: string | null | undefined;
}): ObjectScope {
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
  if (inner.environment !== outer.environment) return false;
  if (outer.kind === 'ENVIRONMENT') return inner.kind !== 'INSTANCE';
  if (inner.namespace === null || outer.namespace === null) return false;
  const [outerPath, innerPath] = [nameKey(outer.namespace), nameKey(inner.namespace)];
  if (outer.kind === 'NAMESPACE') return innerPath === outerPath || innerPath.startsWith(`${outerPath}.`);
  return inner.kind === 'TABLE' && innerPath === outerPath && nameKey(inner.table!) === nameKey(outer.table!);
}
