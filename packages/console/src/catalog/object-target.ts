import { type ObjectNames, scopeOf, scopeText } from '@svc/core/access';
import type { NavigateOptions } from '@tanstack/react-router';
import { tableTarget } from './table-target.ts';

/** An object as the command line writes it. */
export const objectText = (names: ObjectNames): string => scopeText(scopeOf(names));

/** The page of an object; undefined without one. */
export function objectTarget({ environment, namespace, table }: ObjectNames): NavigateOptions | undefined {
  if (!environment) return undefined;
  if (!namespace) return { to: '/$env/catalog', params: { env: environment }, search: {} };
  if (table) return tableTarget(environment, `${namespace}.${table}`);
  return { to: '/$env/catalog/$namespace', params: { env: environment, namespace }, search: {} };
}
