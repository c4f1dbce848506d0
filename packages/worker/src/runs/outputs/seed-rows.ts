import { join } from 'node:path';
import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { load } from '@svc/lake/writes';
import { failure } from '../../work/failures.ts';
import { projectFolder } from '../project-folder.ts';
import type { TaskWork } from '../run-work.ts';
import type { RowSource } from './row-source.ts';

/** The rows of a seed's CSV file, with the types that the deploy found (DEPLOY-23). */
export async function seedRows(work: TaskWork): Promise<RowSource | Failure> {
  const { deps, asset, environment, principal, signal } = work;
  if (asset.source.language !== 'csv') throw new Error(`${asset.name} isn't a seed`);
  const { file, columns } = asset.source;
  const path = join(await projectFolder(work), file);
  return {
    columns,
    write: async ({ tableLocation, fields, layout }) => {
      const outcome = await load(deps.sandbox, {
        source: { files: [{ path }], format: 'csv' },
        fields,
        tableLocation,
        ...(layout ? { layout } : {}),
        owner: sandboxOwner(environment.id, principal.id),
        signal,
      });
      if (!outcome.ok) return failure(outcome.error.code, `${file}: ${outcome.error.message}`);
      return { files: outcome.files, rows: outcome.rowCount };
    },
    close: async () => {},
  };
}
