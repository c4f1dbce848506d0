import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '@svc/core/settings';
import { PINNED_FILES, withDigests } from '../../../../../scripts/images/digests.mjs';

// The files in deploy/ match this version: names of settings, and files that the images copy.
const deploy = fileURLToPath(new URL('../../../../../deploy', import.meta.url));
const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.[a-z]+$|Dockerfile$/.test(file),
);
const textOf = (file: string) => readFileSync(join(deploy, file), 'utf8');
const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));

test.each(files)('the settings in %s are settings', (file) => {
  // Variables that compose substitutes have their own names, with one underscore.
  const own = new Set(['SVC_SECRETS_KEY', 'SVC_SQL_ADDRESS', 'SVC_']);
  const named = textOf(file).match(/SVC_[A-Z0-9_]*/g) ?? [];
  expect(named.filter((name) => !known.has(name.replace(/_FILE$/, '')) && !own.has(name))).toEqual([]);
});

test('every pod is without service links, a token of the cluster, root, and a root to write to', () => {
  const helpers = textOf('helm/svc/templates/_helpers.tpl');
  for (const line of [
    'enableServiceLinks: false',
    'automountServiceAccountToken: false',
    'runAsNonRoot: true',
    'readOnlyRootFilesystem: true',
    'allowPrivilegeEscalation: false',
  ]) {
    expect(helpers).toContain(line);
  }
  for (const kind of ['server', 'worker']) {
    expect(textOf(`helm/svc/templates/${kind}.yaml`)).toMatch(/include "svc\.pod"[\s\S]*include "svc\.container"/);
  }
});

test('the ingress exposes every interface of the server, but neither its health nor its metrics', () => {
  const paths = [...textOf('helm/svc/templates/ingress.yaml').matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path);
  expect(paths).toEqual(['/api', '/catalog', '/console', '/docs', '/scim/v2', '/version']);
});

test('secrets of an installation, which Git ignores, are left out of the builds of images', () => {
  const ignored = readFileSync(join(deploy, '../.gitignore'), 'utf8').split('\n');
  const excluded = textOf('images/Dockerfile.dockerignore').split('\n');
  expect(excluded).toEqual(expect.arrayContaining(ignored.filter((line) => line.startsWith('deploy/'))));
});

test('the proxy of compose passes on addresses that it sees, not those that clients claim', () => {
  expect(textOf('compose/nginx.conf.template')).toContain('X-Forwarded-For $remote_addr;');
});

test('the programs of the images are there', () => {
  const copied = [...textOf('images/Dockerfile').matchAll(/COPY --from=build \/out\/(\w+) /g)].map(([, name]) => name);
  const apps = execFileSync('ls', [fileURLToPath(new URL('../../../..', import.meta.url))], { encoding: 'utf8' }).split(
    '\n',
  );
  expect(copied).toEqual(['server', 'worker', 'standalone']);
  expect(apps).toEqual(expect.arrayContaining(copied));
});

test('every image that others publish is pinned, and pinned again to its current digest', () => {
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  const images: string[] = [];
  for (const file of PINNED_FILES) {
    const text = textOf(file.replace(/^deploy\//, ''));
    const pinned = withDigests(text, (image) => {
      images.push(image);
      return digest('a');
    });
    const named = pinned.match(/^(?:ARG \w+_IMAGE=|\s*image: |FROM (?!\$)).*[:@].*$/gm) ?? [];
    expect(named.filter((line) => !line.endsWith(`@${digest('a')}`))).toEqual([]);
    expect(withDigests(pinned, () => digest('b'))).toBe(pinned.replaceAll(digest('a'), digest('b')));
  }
  expect(images).toEqual(
    expect.arrayContaining(['node:22-bookworm-slim', 'debian:bookworm-slim', 'postgres:18', 'nginx:1']),
  );
});
