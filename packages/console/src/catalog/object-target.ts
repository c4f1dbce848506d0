import { scopeOf, scopeText } from '@svc/core/access';
import type { NavigateOptions } from '@tanstack/react-router';
import { tableTarget } from './table-target.ts';

/** An object by its names: the instance without any. */
export interface ObjectNames {
  readonly environment?: string | null | undefined;
  readonly namespace?: string | null | undefined;
  readonly table?: string | null | undefined;
}

/** An object as the command line writes it. */
export const objectText = (names: ObjectNames): string => scopeText(scopeOf(names));

/** The page of an object; undefined without one. */
export function objectTarget({ environment, namespace, table }: ObjectNames): NavigateOptions | undefined {
  if (!environment) return undefined;
  if (!namespace) return { to: '/$env/catalog', params: { env: environment }, search: {} };
  if (table) return tableTarget(environment, `${namespace}.${table}`);
  return { to: '/$env/catalog/$namespace', params: { env: environment, namespace }, search: {} };
}
