import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Builds the images and runs them with a container engine. Takes half an hour.
const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const flags = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
const isRoot = process.getuid?.() === 0;
const engine = process.env['CONTAINER_ENGINE'] ?? 'podman';
const isAvailable = isRoot && spawnSync(engine, ['--version']).status === 0;

(isAvailable ? test : test.skip)(
  `images run as documented${isAvailable ? '' : ' (left out: needs root, and podman or CONTAINER_ENGINE)'}`,
  () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, 'scripts/containers/try-containers.mjs'],
      {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    console.log(stdout);
  },
  3_600_000,
);
