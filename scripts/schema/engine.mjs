// Prisma's schema engine in its WASM build: computes the SQL between a database and prisma/schema.prisma without the
// native engine, which Prisma's command line would download.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const schemaFile = join(root, 'prisma/schema.prisma');
// Type numbers of PostgreSQL's catalogue.
const CATALOGUE_CHAR = 18;
const BPCHAR = 1042;

const require = createRequire(join(root, 'packages/db/package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

/** The statements that change the database at `url` into the one of the schema file; empty if they agree. */
export async function differenceToSchema(url) {
  const schema = { path: schemaFile, content: readFileSync(schemaFile, 'utf8') };
  const engine = await openEngine(schema, url);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files: [schema], configDir: root },
    to: { tag: 'schemaDatamodel', files: [schema] },
    script: true,
    exitCode: true,
    // Prisma doesn't know partitioned tables.
    filters: { externalTables: ['public.audit_events'], externalEnums: [] },
  });
  return exitCode === 0 ? '' : (stdout ?? '').trim();
}

async function openEngine(schema, url) {
  // The engine stores the message of a panic here before it throws.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
  const glue = await load('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = require.resolve('@prisma/schema-engine-wasm').replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue.SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => {}, await adapterFactory(url));
}

async function adapterFactory(url) {
  const { PrismaPg } = await load('@prisma/adapter-pg');
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = await load('@prisma/driver-adapter-utils');
  const { default: pg } = await load('pg');
  const connect = async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const query = pool.query.bind(pool);
    // The adapter doesn't know the catalogue's type "char": it gets a type that it knows, and the engine gets the right one.
    let characters = new Set();
    pool.query = async (...args) => {
      const result = await query(...args);
      const unknown = (result.fields ?? []).filter((field) => field.dataTypeID === CATALOGUE_CHAR);
      for (const field of unknown) field.dataTypeID = BPCHAR;
      characters = new Set(unknown.map((field) => field.name));
      return result;
    };
    const adapter = await new PrismaPg(pool).connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement) => {
      const result = await queryRaw(statement);
      const typeOf = (name, type) => (characters.has(name) ? ColumnTypeEnum.Character : type);
      return { ...result, columnTypes: result.columnTypes.map((type, i) => typeOf(result.columnNames[i], type)) };
    };
    adapter.dispose = () => pool.end();
    return adapter;
  };
  const connectToShadowDb = () => Promise.reject(new Error('no shadow database is needed here'));
  return bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect,
    connectToShadowDb,
  });
}
