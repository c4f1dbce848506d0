// The base image of the Dockerfile, on machines that reach no registry of images: Debian from its archive, Node and npm from their packages.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE = '22';
const IMAGE = `docker.io/library/node:${NODE}-bookworm-slim`;
const AUTHORITIES = '/usr/local/share/machine-authorities.pem';

const run = (program, args, options = {}) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 2], ...options });

/** Makes sure that the engine has the base image: pulls it, or builds it as root with debootstrap. */
export function ensureBaseImage(engine) {
  if (engine.has('image', 'inspect', IMAGE) || engine.has('pull', '--quiet', IMAGE)) return;
  console.log('Building the base image: the registry of images is out of reach …');
  const folder = mkdtempSync(join(tmpdir(), 'svc-base-'));
  try {
    const root = join(folder, 'root');
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
    addNode(folder, root);
    const environment = addAuthorities(root).flatMap((name) => ['--change', `ENV ${name}=${AUTHORITIES}`]);
    const archive = join(folder, 'root.tar');
    run('tar', ['-C', root, '-cf', archive, '.']);
    engine.show(['import', ...environment, archive, IMAGE]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addNode(folder, root) {
  const architecture = process.arch;
  run('npm', ['pack', '--silent', `node-linux-${architecture}@${NODE}`, 'npm@10'], { cwd: folder });
  const archiveOf = (start) =>
    join(
      folder,
      readdirSync(folder).find((name) => name.startsWith(start)),
    );
  const modules = join(root, 'usr/local/lib/node_modules');
  const bin = join(root, 'usr/local/bin');
  mkdirSync(modules, { recursive: true });
  run('tar', ['xzf', archiveOf('node-linux-'), '-C', folder]);
  copyFileSync(join(folder, 'package/bin/node'), join(bin, 'node'));
  run('tar', ['xzf', archiveOf('npm-'), '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'npm'));
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
}

/** The certificate authorities of this machine, if it has its own; returns the variables that name their file. */
function addAuthorities(root) {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return [];
  copyFileSync(file, join(root, AUTHORITIES));
  return ['NODE_EXTRA_CA_CERTS', 'NPM_CONFIG_CAFILE', 'PIP_CERT'];
}
