import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildLimitsHere, isolationHere, type PrivateIndex, startPrivateIndex, toolsHere } from '../testing/index.ts';
import { prepareSupport } from './prepare-support.ts';

const { uv, python } = await toolsHere();
const isolation = await isolationHere(join(tmpdir(), 'svc-nobody'));
const withTools = uv !== null && python !== null ? test : test.skip;
const sdk = fileURLToPath(new URL('../../../sdk-python', import.meta.url));

let base: string;
let index: PrivateIndex;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'svc-support-'));
  index = await startPrivateIndex();
});
afterEach(async () => {
  await index.stop();
  rmSync(base, { recursive: true, force: true });
});

withTools(
  'the module and what it needs come from the wheels beside it: no request goes to an index or a proxy',
  async () => {
    const support = await prepareSupport({
      uv,
      python: python!,
      isolation,
      sdk,
      envRoot: base,
      limits: await buildLimitsHere(isolation, python),
      // Whatever leaves the machine would go here, and fail.
      inheritedEnv: { HTTPS_PROXY: index.origin, UV_DEFAULT_INDEX: `${index.origin}/op/simple` },
    });
    const installed = ['svc', 'httpx', 'httpcore', 'anyio', 'certifi', 'h11', 'idna'];
    expect(installed.filter((name) => !existsSync(join(support, name, '__init__.py')))).toEqual([]);
    expect(index.requests).toEqual([]);
  },
  60_000,
);

test('the bundled wheels are exactly those that the requirements pin', () => {
  const pinned = readFileSync(join(sdk, 'support-requirements.txt'), 'utf8')
    .split(/\n(?=\S)/)
    .map((entry) => ({
      name: /^[a-z0-9-]+==[0-9.]+/.exec(entry)![0].replace('==', '-').replace('typing-extensions', 'typing_extensions'),
      hashes: [...entry.matchAll(/sha256:([0-9a-f]{64})/g)].map((match) => match[1]!),
    }));
  const bundled = readdirSync(join(sdk, 'wheels')).sort();
  expect(bundled).toEqual(pinned.map(({ name }) => `${name}-py3-none-any.whl`).sort());
  for (const file of bundled) {
    const hash = createHash('sha256').update(readFileSync(join(sdk, 'wheels', file)));
    expect(pinned.find(({ name }) => file.startsWith(name))!.hashes).toContain(hash.digest('hex'));
  }
});
