import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newHome, type RunningService, removeHome, startStandalone, TOKEN } from './service.ts';

/**
 * Runs a Python program beside a service that has the environment and the namespace `bench`. The service's client is installed for it.
 * @param options.extras of the client, such as `arrow`
 * @param options.packages further packages, as pip names them
 * @param options.prepare fills the service and returns the program's arguments
 */
export async function measureInPython(options: {
  program: URL;
  extras: string;
  packages: readonly string[];
  prepare: (service: RunningService) => Promise<readonly string[]>;
}): Promise<void> {
  const home = newHome();
  const service = await startStandalone(home);
  await service.client.environments.create('bench');
  await service.client.namespaces.create('bench', 'bench');
  const args = await options.prepare(service);
  const sdk = fileURLToPath(new URL('../../packages/sdk-python', import.meta.url));
  const installed = [
    '--with-editable',
    `${sdk}[${options.extras}]`,
    ...options.packages.flatMap((one) => ['--with', one]),
  ];
  const child = spawn(
    process.env['SVC_RUN__UV'] ?? 'uv',
    ['run', '--quiet', '--no-project', ...installed, 'python', fileURLToPath(options.program), ...args],
    { stdio: 'inherit', env: { ...process.env, SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV: 'bench' } },
  );
  const [code] = (await once(child, 'exit')) as [number];
  await service.stop();
  removeHome(home);
  process.exitCode = code;
}
