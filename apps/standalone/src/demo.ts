import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings, SettingError } from '@svc/core/settings';
import { Conflict, DEFAULT_URL, type Run, SvcClient } from '@svc/sdk';
import { packProject } from '@svc/worker/deploys';
import { addressOf, isReady, startInBackground } from './background.ts';

const EXAMPLE = 'bird-strikes';
const ENVIRONMENT = 'demo';
const JOBS = ['nightly', 'report'];
const QUESTION = `SELECT airport, strikes, damaging_share
FROM marts.airport_risk ORDER BY strikes DESC, airport LIMIT 5`;
const folder = fileURLToPath(new URL(`../../../examples/${EXAMPLE}`, import.meta.url));

const print = (text = '') => process.stdout.write(`${text}\n`);

/** `npm run demo`: a real project on real data, from an empty folder to the result of a query. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const url = addressOf(settings);
  if (!(await isReady(url))) {
    print(`Starting the service at ${url} …`);
    await startInBackground(settings, url);
  }
  const token = settings.bootstrapToken ?? readFileSync(join(settings.home, 'admin-token'), 'utf8').trim();
  const client = new SvcClient({ url, token });
  await ignoreExisting(client.environments.create(ENVIRONMENT, { description: 'Created by npm run demo' }));
  print(`Environment ${ENVIRONMENT} exists.`);
  await ignoreExisting(client.repositories.create({ name: EXAMPLE }));
  print(`Deploying ${relative(process.cwd(), folder)} …`);
  const deploy = await deployFolder(client);
  for (const warning of deploy.warnings) print(`  warning: ${warning}`);
  print(
    `  deployed: jobs ${[...deploy.jobs!.added, ...deploy.jobs!.changed.map((job) => job.name)].join(', ') || 'unchanged'}`,
  );
  let run: Run | null = null;
  for (const job of JOBS) {
    print(`Running its job ${job}${run === null ? ' (the first run builds a Python environment)' : ''} …`);
    run = await runJob(client, job);
  }
  await showTables(client);
  await showAnswer(client);
  printNextSteps(url, settings.home, run!);
}

/** A second demo reuses what the first one created. */
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}

async function deployFolder(client: SvcClient) {
  const { bundle_id } = await client.deploys.uploadBundle(ENVIRONMENT, await packProject(folder));
  const { id } = await client.deploys.create(ENVIRONMENT, { repository: EXAMPLE, bundle_id });
  return client.deploys.wait(ENVIRONMENT, id);
}

async function runJob(client: SvcClient, job: string): Promise<Run> {
  const started = await client.jobs.start(ENVIRONMENT, job);
  if (started.run === null) throw new Error('another run of the project is active: wait until it has finished');
  const statuses = new Map<string, string>();
  let run = started.run;
  for (;;) {
    showProgress(run, statuses);
    if (run.status !== 'queued' && run.status !== 'running') break;
    run = await client.runs.get(ENVIRONMENT, run.id, { wait: 1 });
  }
  if (run.status !== 'succeeded') throw new Error(`the run ${run.status}: ${run.error?.detail ?? ''}`);
  return run;
}

/** Prints the tasks that finished since the previous call. `shown` has the status of each task at that time. */
function showProgress(run: Run, statuses: Map<string, string>): void {
  for (const task of run.tasks) {
    if (task.status === 'queued' || statuses.get(task.asset) === task.status) continue;
    statuses.set(task.asset, task.status);
    const rows = task.rows === null ? '' : `  ${task.rows} rows`;
    if (task.status !== 'running')
      print(`  ${task.status.padEnd(9)} ${task.asset}${rows}${task.error === null ? '' : `  ${task.error.detail}`}`);
  }
}

async function showTables(client: SvcClient): Promise<void> {
  print();
  print('Result:');
  for await (const namespace of client.namespaces.iter(ENVIRONMENT)) {
    for await (const table of client.tables.iter(ENVIRONMENT, namespace.path)) {
      const size = table.kind === 'managed' ? `${table.row_count} rows` : '';
      print(`  ${`${table.namespace}.${table.name}`.padEnd(28)} ${table.kind.padEnd(9)} ${size}`);
    }
  }
}

async function showAnswer(client: SvcClient): Promise<void> {
  const { query, rows } = await client.queries.run(ENVIRONMENT, QUESTION);
  const lines = [query.columns!.map((column) => column.name), ...rows.map((row) => Object.values(row).map(String))];
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  print();
  print(QUESTION);
  print();
  for (const line of lines) print(`  ${line.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd());
}

function printNextSteps(url: string, home: string, run: Run): void {
  print();
  print(`The service keeps running at ${url}. Try next:`);
  const address = url === DEFAULT_URL ? '' : ` SVC_URL=${url}`;
  print(`  export SVC_TOKEN=$(cat ${join(home, 'admin-token')}) SVC_ENV=${ENVIRONMENT}${address}`);
  print('  npx svc table list marts');
  print('  npx svc sql "SELECT * FROM marts.strikes_by_month LIMIT 5"');
  print(`  npx svc runs logs ${run.id}`);
  print('  npx svc audit list');
  print(`  open ${url}/docs`);
  print(`  npx svc principal set-password admin   # then sign in at ${url}/console`);
  print('  npm run stop   # stop the service; its data remains');
}

main().catch((error: unknown) => {
  const sentence = error instanceof SettingError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`The demo failed: ${sentence}\n`);
  process.exitCode = 1;
});
