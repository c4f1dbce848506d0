// The base images of the Dockerfile, on machines that reach no registry of images: Debian from its archive, Node and npm from their packages.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE = '22';
export const DEBIAN_IMAGE = 'docker.io/library/debian:bookworm-slim';
export const NODE_IMAGE = `docker.io/library/node:${NODE}-bookworm-slim`;
const AUTHORITIES = '/usr/local/share/machine-authorities.pem';

/** What the published image leaves out, also of packages that are installed later. */
const UNUSED = ['doc', 'info', 'locale', 'man'].map((name) => `/usr/share/${name}`);
const CACHES = ['/var/cache', '/var/lib/apt/lists', '/var/log'];

const run = (program, args, options = {}) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 2], ...options });

/** Makes sure that the engine has the base images: pulls them, or builds them as root with debootstrap. */
export function ensureBaseImages(engine) {
  const images = [DEBIAN_IMAGE, NODE_IMAGE];
  if (images.every((image) => engine.has('image', 'inspect', image) || engine.has('pull', '--quiet', image))) return;
  console.log('Building the base images: the registry of images is out of reach …');
  const folder = mkdtempSync(join(tmpdir(), 'svc-base-'));
  try {
    const root = join(folder, 'root');
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
    slim(root);
    const environment = addAuthorities(root).flatMap((name) => ['--change', `ENV ${name}=${AUTHORITIES}`]);
    const archive = join(folder, 'root.tar');
    const store = (image) => {
      run('tar', ['-C', root, '-cf', archive, '.']);
      engine.show(['import', ...environment, archive, image]);
    };
    store(DEBIAN_IMAGE);
    addNode(folder, root);
    store(NODE_IMAGE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function slim(root) {
  const folders = [...UNUSED, ...CACHES].map((name) => join(root, name));
  run('find', [...folders, '-type', 'f', '-delete']);
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/docker'), UNUSED.map((name) => `path-exclude ${name}/*\n`).join(''));
  const clean = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };\n';
  writeFileSync(join(root, 'etc/apt/apt.conf.d/docker-clean'), clean);
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
