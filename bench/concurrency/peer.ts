// DuckDB behind a minimal HTTP server, without permissions, records or events. `/shared` runs every statement on one engine;
// `/fresh` starts a process for each, which is the floor for svc's isolation.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

const [port, sql] = process.argv.slice(2) as [string, string | undefined];

async function rowsOf(instance: DuckDBInstance, statement: string): Promise<string> {
  const connection = await instance.connect();
  try {
    return JSON.stringify((await connection.runAndReadAll(statement)).getRowsJson());
  } finally {
    connection.closeSync();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function inFreshProcess(statement: string): Promise<string> {
  const child = fork(fileURLToPath(import.meta.url), ['0', statement]);
  const [rows] = (await once(child, 'message')) as [string];
  return rows;
}

const instance = await DuckDBInstance.create(':memory:');
if (sql !== undefined) {
  process.send?.(await rowsOf(instance, sql));
  process.disconnect();
} else {
  const server = createServer(async (request, response) => {
    const statement = await bodyOf(request);
    response.end(await (request.url === '/fresh' ? inFreshProcess(statement) : rowsOf(instance, statement)));
  });
  server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
  process.once('disconnect', () => process.exit());
}
