// Clients that append rows while containers are killed.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { check, svc, TOKEN } from './container.mjs';

const CLIENTS = 4;

/** Creates the table that the clients append to. */
export async function createTable(url) {
  await svc(url, 'env', 'create', 'dev');
  await svc(url, 'ns', 'create', 'shop');
  await svc(url, 'table', 'create', 'shop.numbers', '--column', 'n:long');
}

/** Stops the clients; each row whose append succeeded is there once. */
export async function nothingLost(load, url) {
  const { succeeded, failed } = await load.stop();
  const rows = await svc(url, 'sql', 'SELECT n FROM shop.numbers ORDER BY n', '-o', 'ndjson');
  check(
    'the rows',
    rows.split('\n').map((row) => JSON.parse(row).n),
    succeeded.toSorted((a, b) => a - b),
  );
  return `${succeeded.length} appends, each there once, while two servers and two workers were killed; ${failed.length} failed`;
}

/** Clients that append one number after another through any server that responds. */
export function startLoad(urls) {
  const succeeded = [];
  const failed = [];
  let next = 1;
  let isStopping = false;
  const call = async (method, path, { body, key } = {}) => {
    for (let attempt = 0; ; attempt++) {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      };
      const answer = await fetch(`${urls[attempt % urls.length]}/api/v1/environments/dev${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
        .then(async (response) => ({ status: response.status, body: await response.json() }))
        .catch(() => null);
      if (answer !== null && answer.status < 500 && answer.status !== 429) {
        if (answer.status >= 400 && answer.status !== 409)
          throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
        if (answer.status < 400) return answer.body;
      }
      await pause(100);
    }
  };
  const append = async () => {
    const n = next++;
    const body = { sql: `SELECT ${n}::BIGINT AS n`, into: 'shop.numbers', mode: 'append' };
    const { id } = await call('POST', '/queries', { body, key: randomUUID() });
    let query;
    do query = await call('GET', `/queries/${id}?wait=10`);
    while (!['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(query.status));
    (query.status === 'SUCCEEDED' ? succeeded : failed).push(n);
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isStopping) await append();
  });
  const all = Promise.all(clients);
  all.catch(() => undefined);
  return {
    /** Waits for so many more appends. */
    async more(count) {
      const target = succeeded.length + failed.length + count;
      while (succeeded.length + failed.length < target) await Promise.race([pause(50), all]);
    },
    async stop() {
      isStopping = true;
      await all;
      return { succeeded, failed };
    },
  };
}
