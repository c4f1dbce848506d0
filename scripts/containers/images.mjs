// Builds the three images, and verifies what they are described with and how large they are.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { DEBIAN_IMAGE, NODE_IMAGE } from './base-image.mjs';
import { check, LIMITS } from './container.mjs';

/** MB, compressed: what a registry stores and a node downloads. */
const MAX_SIZES = { server: 150, worker: 300, standalone: 300 };

const run = promisify(execFile);

export async function buildImages(engine) {
  const { version } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'));
  const revision = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
  for (const [name, limit] of Object.entries(MAX_SIZES)) {
    const target = ['-f', 'deploy/images/Dockerfile', '--target', name, '-t', `svc-${name}`];
    // Without digests, which images of this machine's own don't have.
    const about = [
      `VERSION=${version}`,
      `REVISION=${revision}`,
      `NODE_IMAGE=${NODE_IMAGE}`,
      `DEBIAN_IMAGE=${DEBIAN_IMAGE}`,
    ];
    const set = about.flatMap((argument) => ['--build-arg', argument]);
    engine.show(['build', ...engine.buildFlags, '--network', 'host', ...set, ...target, '.'], { cwd: root });
    const label = (of) =>
      engine.run('inspect', '--format', `{{index .Config.Labels "org.opencontainers.image.${of}"}}`, `svc-${name}`);
    check('the labels', [await label('version'), await label('revision')], [version, revision]);
    const bill = `JSON.parse(fs.readFileSync('/app/svc-app-${name}.cdx.json')).components.length`;
    const node = ['--entrypoint', 'node', `svc-${name}`];
    const packages = await engine.run('run', '--rm', '--network', 'none', ...LIMITS, ...node, '-p', bill);
    const save = [engine.program, ...engine.flags, 'save', `svc-${name}`].join(' ');
    const size = Number((await run('sh', ['-c', `${save} 2>/dev/null | gzip | wc -c`])).stdout) / 1e6;
    console.log(`svc-${name}: ${Math.round(size)} MB compressed, ${packages} packages in its bill of materials`);
    check(`svc-${name} has at most ${limit} MB`, size <= limit, true);
  }
}
