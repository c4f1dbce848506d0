// Spark with the Iceberg runtime (Java 17, Maven) against the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { mavenJars } from './jars.mjs';
import { startService, TOKEN } from './service.mjs';
import { sparkScenario } from './spark-scenario.mjs';
import { sqlScenario } from './sql-scenario.mjs';

const program = fileURLToPath(new URL('./spark/Statements.java', import.meta.url));
/** Options that Spark needs on Java 17. */
export const OPENED = ['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent']
  .map((name) => `java.base/java.${name}`)
  .concat([
    'java.base/sun.nio.ch',
    'java.base/sun.nio.cs',
    'java.base/sun.security.action',
    'java.base/sun.util.calendar',
  ]);

const settingsOf = (url) => ({
  'spark.sql.extensions': 'org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions',
  'spark.sql.catalog.svc': 'org.apache.iceberg.spark.SparkCatalog',
  'spark.sql.catalog.svc.type': 'rest',
  'spark.sql.catalog.svc.uri': `${url}/catalog`,
  'spark.sql.catalog.svc.warehouse': 'dev',
  'spark.sql.catalog.svc.credential': `admin:${TOKEN}`,
  'spark.sql.catalog.svc.cache-enabled': 'false',
  'spark.sql.defaultCatalog': 'svc',
  'spark.sql.session.timeZone': 'UTC',
  'spark.sql.shuffle.partitions': '2',
});

/** A Spark session; `run` returns the rows of a statement with each value as a string. */
async function startSpark(classPath, url) {
  const opened = OPENED.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]);
  const args = ['-Xmx2g', ...opened, '-cp', classPath, program, ...Object.entries(settingsOf(url)).flat()];
  const child = spawn('java', args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`Spark exited with ${child.exitCode}`);
    return JSON.parse(value);
  };
  await next();
  return {
    async run(statement) {
      child.stdin.write(`${JSON.stringify(statement)}\n`);
      const { rows, error } = await next();
      if (error !== undefined) throw new Error(`${statement}\n${error}`);
      return rows;
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** What differs from engine to engine in the statements of the scenario. */
const DIALECT = {
  name: 'Spark',
  namespace: 'spark',
  canUndrop: true,
  text: 'STRING',
  plain: 'USING iceberg',
  partitioned: (transforms) => `USING iceberg PARTITIONED BY (${transforms.join(', ')})`,
  transform: {
    bucket: (n, c) => `bucket(${n}, ${c})`,
    truncate: (n, c) => `truncate(${n}, ${c})`,
    by: (unit, c) => `${unit}s(${c})`,
  },
  timestamp: 'TIMESTAMP_NTZ',
  instant: 'TIMESTAMP',
  version: (id) => `VERSION AS OF ${id}`,
  widen: (table, column) => `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE BIGINT`,
  purge: 'PURGE',
};

/** How many of its checks failed. */
export async function spark() {
  const classPath = await mavenJars('spark', 'Spark');
  if (classPath === null) return 0;
  const service = await startService();
  const engine = await startSpark(classPath, service.url);
  try {
    return (await sqlScenario(DIALECT, engine, service)) + (await sparkScenario(engine, service));
  } finally {
    await engine.stop();
    await service.stop();
  }
}
