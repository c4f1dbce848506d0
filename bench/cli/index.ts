// How long the command line takes to start, beside Node itself: runs interleaved, so that a busy machine is busy for
// all of them. Aims: `svc --version` at most 40 ms over Node, `svc env list` at most 150 ms against a local server.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.argv[2] ?? 20);
const program = fileURLToPath(new URL('../../packages/cli/bin/run.cjs', import.meta.url));

const environments = Array.from({ length: 5 }, (_, i) => ({
  id: `01997c2e-7b7a-7c1e-8000-00000000000${i}`,
  name: `env${i}`,
  protected: false,
  description: null,
  retention_days: null,
  created_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
  purge_after: null,
}));

// A server that answers at once: what is measured is the program.
const server = createServer((_, res) => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify(environments));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const env = { ...process.env, SVC_URL: url, SVC_TOKEN: 'x', SVC_PROFILE: 'bench', XDG_CONFIG_HOME: '/nonexistent' };

const cases: Record<string, string[]> = {
  'node -e 0': ['-e', '0'],
  'svc --version': [program, '--version'],
  'svc cron next': [program, 'cron', 'next', '@daily'],
  'svc env list': [program, 'env', 'list'],
  'svc env list, JSON': [program, '--output', 'json', 'env', 'list'],
};

function timed(args: readonly string[]): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(performance.now() - started) : reject(new Error(`svc exited with ${code}`)),
    );
  });
}

const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, args] of Object.entries(cases)) {
    const ms = await timed(args);
    // The first round fills the file cache.
    if (round > 0) times.get(name)?.push(ms);
  }
}
server.close();

const rows = [...times].map(([name, list]) => {
  const sorted = list.sort((a, b) => a - b);
  return { name, min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! };
});
const floor = rows[0]!;
console.log(`${ROUNDS} interleaved runs, in ms:\n`);
console.log(`${'command'.padEnd(22)}${['min', 'median', 'over node'].map((head) => head.padStart(12)).join('')}`);
for (const { name, min, median } of rows) {
  const figures = [min, median, min - floor.min].map((ms) => ms.toFixed(0).padStart(12));
  console.log(`${name.padEnd(22)}${figures.join('')}`);
}
