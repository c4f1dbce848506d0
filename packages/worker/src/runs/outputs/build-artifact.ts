import { createReadStream } from 'node:fs';
import { scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { inTransaction } from '@svc/db/connection';
import { requireNoLegalHold } from '@svc/db/drops';
import { createTable, replaceObject } from '@svc/db/tables';
import { isWithin, removeFiles } from '@svc/iceberg';
import { auditWork } from '../../work/events.ts';
import { failure } from '../../work/failures.ts';
import { builderOf, type FinishTask, type TaskWork } from '../run-work.ts';
import { callPython } from './python-rows.ts';
import { droppedConcurrently, findTarget, isFailure, type Target } from './target.ts';

/** Stores the file that a Python function created. The next sweep deletes the previous one. */
export async function buildArtifact(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  const { deps, environment } = work;
  const target = await findTarget(work);
  if (isFailure(target)) return target;
  if (target.table !== null)
    await requireNoLegalHold(deps.db.prisma, {
      id: target.table.id,
      action: 'building it again',
      now: deps.clock(),
    });
  const output = await callPython(work, { watermark: null, isFirstRun: true });
  if (isFailure(output)) return output;
  const { result } = output;
  if (result.kind !== 'artifact') throw new Error("the task didn't write an artifact");
  const folder = `${deps.newId()}-${Buffer.from(deps.random(8)).toString('hex')}`;
  const root = await deps.store.rootOf(environment.id);
  const location = `${root}/artifacts/${environment.id}/${folder}/${encodeURIComponent(result.name)}`;
  try {
    await deps.store.write(location, createReadStream(result.file));
  } finally {
    await output.close();
  }
  if (await store(work, target, { location, bytes: result.bytes }, finish)) return null;
  await removeFiles(deps.store, [location]);
  return failure('already-exists', `${work.asset.name} was created by someone else in the meantime.`, 'Run it again.');
}

async function store(
  work: TaskWork,
  { table, namespace }: Target,
  file: { location: string; bytes: number },
  finish: FinishTask,
): Promise<boolean> {
  const { deps, asset, environment, origin, principal } = work;
  const now = deps.clock();
  const id = table?.id ?? deps.newId();
  const object = scopeOf({ environment: environment.name, namespace: namespace.path, table: asset.table });
  const contents = { snapshotId: null, rowCount: 0, sizeBytes: file.bytes, fileCount: 1 };
  return inTransaction(deps.db, async (tx) => {
    if (table !== null) {
      const change = { id, now, columns: [], description: asset.description };
      const replaced = await replaceObject(tx, { ...change, location: file.location, sizeBytes: file.bytes });
      if (!replaced) throw droppedConcurrently(asset.name);
    } else {
      const row = {
        id,
        environmentId: environment.id,
        namespaceId: namespace.id,
        name: asset.table,
        kind: 'artifact' as const,
        description: asset.description,
        columns: [],
        location: file.location,
        apart: !isWithin(deps.store.root, file.location),
        contents,
        builtByRepository: builderOf(work),
        createdBy: principal.id,
        now,
      };
      if (!(await createTable(tx, row))) return false;
      await auditWork(deps, tx, origin, {
        type: 'TABLE_CREATED',
        object,
        detail: { table_id: id, name: asset.table, kind: 'artifact', columns: 0, location: file.location },
      });
    }
    await auditWork(deps, tx, origin, {
      type: 'TABLE_WRITE',
      object,
      detail: { table_id: id, mode: 'replace', rows: null, snapshot_id: null, watermark: null },
    });
    await finish(tx, null, id);
    return true;
  });
}
