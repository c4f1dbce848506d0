import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Builds what the images contain and starts it as they would. Takes minutes, and runs only if this account may mount.
const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const mayMount = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

(mayMount ? test : test.skip)(
  `images are built and start read-only and without root${mayMount ? '' : ' (left out: needs Linux, root and unshare)'}`,
  () => {
    const flags = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, 'scripts/images/try-images.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    console.log(stdout);
  },
  1_200_000,
);
