import type { TableIds } from '@svc/lake/tables';
import { snapshotIdFrom } from '@svc/lake/tables';
import type { ApiDeps } from '../http/deps.ts';

/** A new folder that nobody can guess: a reused name never leads to old data. */
export function newTableLocation(
  { store, newId, random }: Pick<ApiDeps, 'store' | 'newId' | 'random'>,
  environmentId: string,
): string {
  return `${store.root}/tables/${environmentId}/${newId()}-${Buffer.from(random(8)).toString('hex')}`;
}

export function tableIds({ newId, random }: Pick<ApiDeps, 'newId' | 'random'>): TableIds {
  return { uuid: newId, snapshotId: () => snapshotIdFrom(random(8)) };
}
