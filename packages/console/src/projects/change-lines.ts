import type { Deploy } from '@svc/sdk/browser';
import { plural } from '../text/numbers.ts';

type Assets = NonNullable<Deploy['assets']>;
type Jobs = NonNullable<Deploy['jobs']>;

/** What differs between two states of a project. */
export type ProjectChanges = Pick<Deploy, 'assets' | 'jobs'>;

/** One line of a diff. */
export interface ChangeLine {
  readonly what: 'added' | 'removed' | 'changed';
  readonly object: 'asset' | 'job';
  readonly name: string;
  /** What differs, one text per line. */
  readonly details: readonly string[];
}

function columnDetails(columns: Assets['changed'][number]['columns']): string[] {
  if (columns === null) return [];
  return [
    ...columns.added.map(({ name, type }) => `+ ${name} ${type}`),
    ...columns.removed.map(({ name, type }) => `− ${name} ${type}`),
    ...columns.changed.map(({ name, type, previous_type }) => `${name} ${previous_type} → ${type}`),
  ];
}

function assetLines({ added, removed, changed }: Assets): ChangeLine[] {
  const object = 'asset';
  return [
    ...added.map(({ name, kind, columns }) => {
      const details = [columns === null ? kind : `${kind}, ${plural(columns.length, 'column')}`];
      return { what: 'added', object, name, details } as const;
    }),
    ...removed.map(({ name, kind }) => ({ what: 'removed', object, name, details: [kind] }) as const),
    ...changed.map(({ name, changes, columns }) => {
      const details = [changes.join(', ') || 'columns', ...columnDetails(columns)];
      return { what: 'changed', object, name, details } as const;
    }),
  ];
}

function jobLines({ added, removed, changed }: Jobs): ChangeLine[] {
  const object = 'job';
  return [
    ...added.map((name) => ({ what: 'added', object, name, details: [] }) as const),
    ...removed.map((name) => ({ what: 'removed', object, name, details: [] }) as const),
    ...changed.map(({ name, changes }) => ({ what: 'changed', object, name, details: [changes.join(', ')] }) as const),
  ];
}

/** The changes as lines: assets first, then jobs. */
export const changeLines = ({ assets, jobs }: ProjectChanges): ChangeLine[] => [
  ...(assets === null ? [] : assetLines(assets)),
  ...(jobs === null ? [] : jobLines(jobs)),
];
