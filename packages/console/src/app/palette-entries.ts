import type { SearchResult } from '@svc/sdk/browser';
import type { NavigateOptions } from '@tanstack/react-router';
import { tableTarget } from '../catalog/table-target.ts';
import type { IconName } from '../design/icons.tsx';
import { PAGES } from './pages.ts';

/** One line of the palette. */
export interface Entry {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  readonly target: NavigateOptions;
}

/** The pages and other environments whose names contain every word of the text. */
export function pageEntries(env: string, environments: readonly string[], text: string): Entry[] {
  const parts = text.toLowerCase().split(/\s+/);
  const pages: Entry[] = [
    { key: 'home', icon: 'home', label: 'Home', detail: 'Page', target: { to: '/$env', params: { env } } },
    ...PAGES.map(
      ({ page, label, icon }): Entry => ({
        ...{ key: page, icon, label, detail: 'Page' },
        target: { to: `/$env/${page}`, params: { env }, search: {} },
      }),
    ),
    ...environments
      .filter((name) => name !== env)
      .map(
        (name): Entry => ({
          key: `environment ${name}`,
          icon: 'lines',
          label: name,
          detail: 'Environment',
          target: { to: '/$env', params: { env: name } },
        }),
      ),
  ];
  return pages.filter(({ label, detail }) => parts.every((part) => `${detail} ${label}`.toLowerCase().includes(part)));
}

/** What the service found. */
export function foundEntries(env: string, results: readonly SearchResult[]): Entry[] {
  return results.flatMap((result) => entryOf(env, result) ?? []);
}

function entryOf(env: string, { kind, name, table, repository }: SearchResult): Entry | null {
  const key = JSON.stringify([kind, name, table, repository]);
  if (kind === 'namespace')
    return {
      key,
      icon: 'folder',
      label: name,
      detail: 'Namespace',
      target: { to: '/$env/catalog/$namespace', params: { env, namespace: name }, search: {} },
    };
  if (kind === 'table') return { key, icon: 'table', label: name, detail: 'Table', target: tableTarget(env, name) };
  if (kind === 'column' && table !== null)
    return { key, icon: 'column', label: name, detail: table, target: tableTarget(env, table) };
  if (kind === 'job' && repository !== null)
    return {
      key,
      icon: 'jobs',
      label: name,
      detail: `Job in ${repository}`,
      target: { to: '/$env/jobs/$repository/$job', params: { env, repository, job: name }, search: {} },
    };
  return null;
}
