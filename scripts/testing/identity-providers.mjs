// Identity providers that organizations run, for the long tests of single sign-on: Dex and Keycloak.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

const KEYCLOAK = '26.5.0';
// Dex's releases aren't Go modules, so its version is that of a commit.
const DEX = 'v0.0.0-20260806151424-ab64ed778070';

/** The environment of the tests with TEST_DEX, a program, and TEST_KEYCLOAK, a folder, as far as they exist or can be fetched. */
export async function withIdentityProviders(env) {
  const [dex, keycloak] = [
    env.TEST_DEX ?? (await fetched('Dex', buildDex)),
    env.TEST_KEYCLOAK ?? (await fetched('Keycloak', unpackKeycloak)),
  ];
  return { ...env, ...(dex && { TEST_DEX: dex }), ...(keycloak && { TEST_KEYCLOAK: keycloak }) };
}

async function fetched(name, fetch) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-provider-'));
  try {
    return await fetch(folder);
  } catch (error) {
    console.log(`${name} is not tried: ${error.message.split('\n').slice(-3).join(' ')}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds Dex with Go, which takes some minutes. */
async function buildDex(folder) {
  const program = join(cache, 'identity-providers', `dex-${DEX}`);
  if (existsSync(program)) return program;
  if (!onPath('go')) throw new Error('it needs Go.');
  console.log('Building Dex for the tests …');
  const go = (args, options) => quietly(`go ${args[0]}`, 'go', args, options);
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', `github.com/dexidp/dex@${DEX}`]));
  const sources = join(folder, 'dex');
  await cp(Dir, sources, { recursive: true, mode: 0 });
  await quietly('chmod', 'chmod', ['-R', 'u+w', folder]);
  // Its API is a module of its own, which its sources expect in a folder that a module can't contain.
  const inSources = { cwd: sources, env: { ...process.env, GOFLAGS: '-mod=mod' } };
  await go(['mod', 'edit', '-dropreplace', 'github.com/dexidp/dex/api/v2'], inSources);
  await go(['get', `github.com/dexidp/dex/api/v2@${DEX.split('-')[2]}`], inSources);
  await go(['build', '-o', program, './cmd/dex'], inSources);
  return program;
}

/** Fetches Keycloak with Maven and builds its server for a database in memory. */
async function unpackKeycloak(folder) {
  const home = join(cache, 'identity-providers', `keycloak-${KEYCLOAK}`);
  if (existsSync(home)) return home;
  if (!onPath('mvn') || !onPath('jar')) throw new Error('it needs Java 17 and Maven.');
  console.log('Fetching Keycloak for the tests …');
  const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${KEYCLOAK}:zip`;
  await quietly('fetching Keycloak', 'mvn', ['-q', '-B', 'dependency:get', artifact, '-Dtransitive=false']);
  await quietly('copying Keycloak', 'mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`]);
  await quietly('unpacking Keycloak', 'jar', ['xf', `keycloak-quarkus-dist-${KEYCLOAK}.zip`], { cwd: folder });
  mkdirSync(join(home, '..'), { recursive: true });
  const unpacked = join(folder, `keycloak-${KEYCLOAK}`);
  await quietly('building Keycloak', 'bash', [join(unpacked, 'bin/kc.sh'), 'build', '--db=dev-mem', '--cache=local']);
  try {
    renameSync(unpacked, home);
  } catch {
    await cp(unpacked, home, { recursive: true });
  }
  return home;
}
