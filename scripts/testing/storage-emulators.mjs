// The emulators of Google Cloud Storage and Azure Blob Storage for the tests of bucket storage.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

const GOOGLE = { version: 'v1.56.1', module: 'github.com/fsouza/fake-gcs-server' };
// The last version that runs on Node 20.
const AZURITE = '3.35.0';

/**
 * The environment of the tests, with TEST_GOOGLE_EMULATOR and TEST_AZURITE for the programs that exist. `install` builds
 * or installs absent ones, which takes some minutes.
 */
export async function withStorageEmulators(env, { install }) {
  const google = join(cache, 'google-emulator', GOOGLE.version);
  const azurite = join(cache, 'azurite', AZURITE);
  const programs = {
    TEST_GOOGLE_EMULATOR: join(google, 'fake-gcs-server'),
    TEST_AZURITE: join(azurite, 'node_modules/azurite/dist/src/blob/main.js'),
  };
  const installers = {
    TEST_GOOGLE_EMULATOR: () =>
      quietly('go install', 'go', ['install', `${GOOGLE.module}@${GOOGLE.version}`], {
        env: { ...process.env, GOBIN: google },
      }),
    TEST_AZURITE: () =>
      quietly('npm install', 'npm', [
        ...['install', '--prefix', azurite, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'],
        `azurite@${AZURITE}`,
      ]),
  };
  const found = { ...env };
  for (const [name, program] of Object.entries(programs)) {
    if (env[name]) continue;
    const canInstall = install && (name !== 'TEST_GOOGLE_EMULATOR' || onPath('go'));
    if (!existsSync(program) && canInstall) {
      console.log(`Installing the program for ${name} …`);
      await installers[name]().catch((error) =>
        console.log(`${name} is not tried: ${error.message.split('\n').at(-1)}`),
      );
    }
    if (existsSync(program)) found[name] = program;
  }
  return found;
}
