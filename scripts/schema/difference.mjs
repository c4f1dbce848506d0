// The difference between prisma/migrations and prisma/schema.prisma: applies the migrations to an empty database
// on an embedded server and compares it. Run with --import ./scripts/typescript.mjs.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/db/src/embedded/index.ts';
import { migrate } from '../../packages/db/src/migrate/index.ts';
import { differenceToSchema } from './engine.mjs';

/** The missing statements; empty if migrations and schema agree. */
export async function missingStatements() {
  const home = mkdtempSync(join(tmpdir(), 'svc-schema-'));
  // When run by root, the server runs as another account, which must be able to read this folder.
  chmodSync(home, 0o755);
  const log = { info() {}, warn() {} };
  const server = await startEmbedded({ dataDir: join(home, 'database'), log, durable: false });
  const remove = async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  // A panic of the engine skips every handler, and the server would outlive this process.
  process.once('uncaughtException', (error) => {
    console.error(error);
    remove().finally(() => process.exit(1));
  });
  try {
    await migrate(server.url);
    return await differenceToSchema(server.url);
  } finally {
    await remove();
  }
}
