import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorCredential } from '../../package-indexes/sources.ts';
import { isolationHere, makeWheel, type PrivateIndex, startPrivateIndex } from '../../testing/index.ts';
import { findPython, findUv } from '../programs/find-tools.ts';
import { prepareSupport } from './prepare-support.ts';

const path = process.env['PATH'] ?? '';
const uv = await findUv(
  [process.env['SVC_RUN__UV'], 'uv'].filter((name) => name !== undefined),
  path,
);
const python = await findPython(null, uv, path);
const isolation = await isolationHere(join(tmpdir(), 'svc-nobody'));
const withTools = uv !== null && python !== null ? describe : describe.skip;
const tiny = makeWheel('tiny', '1.0', 'x');
const PASSWORD = 'canary-operator/7?';

let base: string;
let index: PrivateIndex;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'svc-support-'));
  mkdirSync(join(base, 'src', 'svc'), { recursive: true });
  writeFileSync(join(base, 'src', 'svc', '__init__.py'), '');
  writeFileSync(join(base, 'support-requirements.txt'), `tiny==1.0 --hash=sha256:${tiny.hash}\n`);
  index = await startPrivateIndex();
});
afterEach(async () => {
  await index.stop();
  rmSync(base, { recursive: true, force: true });
});

withTools("with the operator's index", () => {
  const said: string[] = [];
  const prepare = (password: string) => {
    const indexUrl = `${index.origin.replace('//', `//operator-name:${encodeURIComponent(password)}@`)}/op/simple`;
    return prepareSupport({
      uv,
      python: python!,
      isolation,
      sdk: base,
      envRoot: join(base, 'environments'),
      defaultIndexUrl: indexUrl,
      operator: operatorCredential(indexUrl),
      onOutput: (line) => said.push(line),
    });
  };

  test('its credential opens it', async () => {
    index.serve('/op', { wheels: [tiny], credential: `operator-name:${PASSWORD}` });
    const support = await prepare(PASSWORD);
    expect([existsSync(join(support, 'tiny.py')), existsSync(join(support, 'svc', '__init__.py'))]).toEqual([
      true,
      true,
    ]);
  }, 60_000);

  test('and is in nothing that is said when it does not', async () => {
    index.serve('/op', { wheels: [tiny], credential: 'operator-name:another' });
    const failure = (await prepare(PASSWORD).catch((error: unknown) => error)) as { detail: string; remedy: string };
    expect(failure.detail).toContain('could not be built');
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'operator-name'])
      expect(`${failure.detail} ${failure.remedy} ${said.join('\n')}`).not.toContain(secret);
  }, 60_000);
});
