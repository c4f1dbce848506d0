import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '../fuzz/document.ts';
import { nameOf, type World } from '../fuzz/index.ts';

const VERSION = '4.32.5';
const HOOKS = fileURLToPath(new URL('./hooks.py', import.meta.url));

/** Statuses for an invalid request: besides the routes' own 4xx, those of the HTTP server. */
const REFUSED = [400, 401, 403, 404, 405, 409, 411, 413, 415, 417, 422, 429, 431];

/** Its response has no end, and the tool waits for one. */
const ENDLESS = 'events.stream';

/** Routes that would destroy what the others need get their own objects. */
const OTHERS: Readonly<Record<string, string>> = {
  'environments.delete': 'gone',
  'environments.restore': 'gone',
};

export interface Tried {
  /** Whether every check of every request passed. */
  passed: boolean;
  /** The output of the tool. */
  report: string;
}

/**
 * Runs all checks of Schemathesis, installed by uv, against the service's OpenAPI document.
 * Paths name objects in `world`, so that requests get past them.
 */
export async function schemathesis(
  world: World,
  { token, seed, examples }: { token: string; seed: number; examples: number },
): Promise<Tried> {
  const { service } = world;
  const folder = mkdtempSync(join(service.folder, 'schemathesis-'));
  const config = join(folder, 'schemathesis.toml');
  writeFileSync(config, configuration(world));
  const tool = ['run', '--quiet', '--no-project', '--with', `schemathesis==${VERSION}`, 'schemathesis'];
  const what = ['--config-file', config, 'run', `${service.url}/api/v1/openapi.json`, '--no-color'];
  const how = [
    '--phases',
    'coverage,fuzzing',
    '--continue-on-failure',
    '--request-timeout',
    '90',
    '--exclude-operation-id',
    ENDLESS,
    '--warnings',
    'off',
  ];
  const size = ['--seed', String(seed), '--max-examples', String(examples), '--generation-database', 'none'];
  const child = spawn(
    process.env['SVC_RUN__UV'] ?? 'uv',
    [...tool, ...what, '-H', `Authorization: Bearer ${token}`, ...how, ...size],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => output.push(piece));
  const [code] = (await once(child, 'close')) as [number | null];
  return { passed: code === 0, report: Buffer.concat(output).toString() };
}

function configuration(world: World): string {
  const text = JSON.stringify;
  return [
    `hooks = ${text(HOOKS)}`,
    '[checks.negative_data_rejection]',
    `expected-statuses = ${text(REFUSED)}`,
    ...operations().flatMap((operation) => [
      '[[operations]]',
      `include-operation-id = ${text(operation.id)}`,
      `parameters = { ${Object.entries(named(world, operation))
        .map(([name, value]) => `"path.${name}" = ${text(value)}`)
        .join(', ')} }`,
    ]),
    '',
  ].join('\n');
}

/** The values of its path parameters, as far as there are any. */
function named(world: World, { id, path, parameters }: Operation): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, in: location } of parameters) {
    if (location !== 'path') continue;
    const [first] = name === 'env' && id in OTHERS ? [OTHERS[id]] : world.suggest(nameOf(path, name));
    if (first !== undefined) found[name] = String(first);
  }
  return found;
}
