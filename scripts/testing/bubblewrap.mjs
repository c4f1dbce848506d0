// Installs bubblewrap for the tests of isolated tasks.
import { quietly } from '../bootstrap/run.mjs';
import { onPath } from '../bootstrap/uv.mjs';

/** In CI, as root, installs it if it is missing. Without it, the tests are skipped and say so. */
export async function installBubblewrap(env) {
  if (!env.CI || process.getuid?.() !== 0 || onPath('bwrap') || !onPath('apt-get')) return;
  console.log('Installing bubblewrap for the tests …');
  const apt = (...args) => quietly('apt-get', 'apt-get', args, { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } });
  const install = () => apt('install', '--yes', '--no-install-recommends', 'bubblewrap');
  // The lists of packages may be missing or old.
  await install()
    .catch(() => apt('update').then(install))
    .catch((error) =>
      console.log(`Tasks are not isolated in the tests: ${error.message.split('\n').slice(-3).join(' ')}`),
    );
}
