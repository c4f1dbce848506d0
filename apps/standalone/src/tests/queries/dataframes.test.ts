import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const SDK = fileURLToPath(new URL('../../../../../packages/sdk-python', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../../testing/dataframes', import.meta.url));

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
});
afterAll(() => s.stop());

/** Runs a program with the module and what it needs besides, and returns its output. */
function python(program: string, ...packages: string[]): Promise<string> {
  const needed = packages.flatMap((name) => ['--with', name]);
  const args = ['run', '--quiet', '--no-project', '--with-editable', `${SDK}[pandas,polars]`, ...needed];
  const env = {
    ...process.env,
    ...{ SVC_URL: s.url, SVC_TOKEN: TOKEN, SVC_ENV: 'dev', UV_PYTHON_DOWNLOADS: 'never' },
    ...{ PYTHONDONTWRITEBYTECODE: '1', IPYTHONDIR: join(s.folder, 'ipython') },
  };
  return new Promise((resolve) => {
    execFile(
      process.env.SVC_RUN__UV ?? 'uv',
      [...args, 'python', join(PROGRAMS, program)],
      { env },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    );
  });
}

test('frames of pandas, polars and Arrow survive the way to a table and back (SDK-9, SDK-10)', async () => {
  expect(await python('round_trips.py')).toBe('all round trips hold\n');
}, 120_000);

test('a notebook runs queries with its variables and shows their rows', async () => {
  const output = await python('notebook.py', 'nbclient', 'ipykernel');
  expect(output).toContain('<td >Oslo</td><td style="text-align: right">709</td>');
  expect(output).toContain('<small>1 row</small>');
  expect(output).toContain('<small>2 rows</small>');
  expect(output).toContain('<th>people</th>');
}, 120_000);
