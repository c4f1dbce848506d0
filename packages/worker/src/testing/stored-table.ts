import { randomUUID } from 'node:crypto';
import { type Database, inTransaction } from '@svc/db/connection';
import { createEnvironment } from '@svc/db/environments';
import { createNamespace } from '@svc/db/namespaces';
import { createTable } from '@svc/db/tables';

/** Stores the record of a managed table without rows, in an environment and a namespace of its own. Returns its id. */
export async function storeTable(
  db: Database,
  { environmentId, environment, location }: { environmentId: string; environment: string; location: string },
): Promise<string> {
  const [id, namespaceId] = [randomUUID(), randomUUID()];
  const base = { description: null, createdBy: randomUUID(), now: new Date() };
  const contents = { snapshotId: null, rowCount: 0, sizeBytes: 1, fileCount: 1 };
  await createEnvironment(db.prisma, { ...base, id: environmentId, name: environment, protected: false });
  await inTransaction(db, async (tx) => {
    await createNamespace(tx, { ...base, id: namespaceId, environmentId, path: 'n' });
    await createTable(tx, {
      ...{ ...base, id, environmentId, namespaceId, name: 't', kind: 'managed', columns: [], location, contents },
      ...{ apart: false, builtByRepository: null },
    });
  });
  return id;
}
