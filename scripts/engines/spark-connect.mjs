// A Spark Connect server from Maven Central with the Iceberg runtime (Java 17), as operators put it together.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../testing/free-port.mjs';
import { mavenJars } from './jars.mjs';
import { stopProcess, untilReady } from './process.mjs';
import { OPENED } from './spark.mjs';

/** The class path of the server; null, after a plain message, where it can't be fetched. */
export const sparkConnectClassPath = () => mavenJars('spark-connect', 'Spark Connect', 100);

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Starts the server without any catalog of its own; sessions bring theirs. */
export async function startSparkConnect(classPath) {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'svc-spark-'));
  const settings = {
    'spark.master': 'local[2]',
    'spark.app.name': 'svc',
    'spark.ui.enabled': 'false',
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': String(port),
    'spark.sql.shuffle.partitions': '2',
    'spark.sql.warehouse.dir': join(home, 'warehouse'),
  };
  const opened = OPENED.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]);
  const flags = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
  const server = 'org.apache.spark.sql.connect.service.SparkConnectServer';
  const child = spawn('java', ['-Xmx2g', ...opened, ...flags, '-cp', classPath, server], {
    cwd: home,
    stdio: 'ignore',
  });
  await untilReady(child, { name: 'Spark Connect', ready: () => accepts(port), everyMs: 200 });
  return {
    url: `sc://127.0.0.1:${port}`,
    async stop() {
      await stopProcess(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
