import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython, findUv } from '@svc/worker/programs';
import { environmentKey } from '@svc/worker/python';
import type { PythonWork } from '@svc/worker/runs';

const sources = fileURLToPath(new URL('../../packages/sdk-python/src', import.meta.url));

/** A deployed project on a worker's disk with its environment built: real in all that a task's preparation looks at. */
export async function openProject(lock: string): Promise<{ work: PythonWork; close: () => Promise<void> }> {
  const workDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const close = () => rm(workDir, { recursive: true, force: true });
  const path = process.env['PATH'] ?? '';
  const uv = await findUv([process.env['SVC_RUN__UV'] ?? 'uv'], path);
  const python = await findPython(null, uv, path);
  if (uv === null || python === null) throw new Error('uv and Python 3.10 or later are needed');
  const project = join(workDir, 'projects', 'version');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'uv.lock'), lock);
  const pyproject = '[project]\nname = "app"\nversion = "0"\n';
  await writeFile(join(project, 'pyproject.toml'), pyproject);
  const key = await environmentKey({ lock, pyproject, wheelhouse: null, python, isolation: { kind: 'none' } });
  const environment = join(workDir, 'environments', key, 'bin');
  await mkdir(environment, { recursive: true });
  await writeFile(join(environment, 'python'), '');
  // The module as it is, with nothing to be fetched for it.
  const sdk = join(workDir, 'sdk');
  await cp(sources, join(sdk, 'src'), { recursive: true });
  await writeFile(join(sdk, 'support-requirements.txt'), '');
  await mkdir(join(sdk, 'wheels'));
  const version = { id: 'version', python: null, lock_hash: 'x' };
  const deps = {
    workDir,
    uv,
    python,
    sdk,
    inheritedEnv: {},
    settings: { packageDownloadLimit: '1GB' },
    isolation: { kind: 'none' },
  };
  const log = { line() {} };
  const signal = new AbortController().signal;
  const work = { deps, version, environment: { id: 'e', name: 'dev' }, asset: { name: 'a' }, signal, log };
  return { work: work as unknown as PythonWork, close };
}
