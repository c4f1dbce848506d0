import type { SvcClient } from '@svc/sdk';
import { deployFiles, type Files } from '../projects.ts';
import { jobsOf } from './timetable.ts';

const ASSETS: Files = {
  'assets/core/daily.sql': '/* svc\nmode: append\n*/\nSELECT 1 AS n',
  'assets/core/night.sql': 'SELECT 1 AS n',
  'assets/core/hour.sql': 'SELECT 1 AS n',
  'assets/core/week.sql': 'SELECT count(*) AS n FROM core.daily',
  'assets/core/month.sql': '/* svc\nkind: view\n*/\nSELECT 1 AS n',
  'assets/core/twice.sql': '/* svc\nmode: append\n*/\nSELECT 1 AS n',
  'assets/core/work.sql': 'SELECT * FROM range(3) t(n)',
  'assets/core/broken.sql': '/* svc\nchecks: [{name: never, sql: SELECT * FROM core.broken}]\n*/\nSELECT 1 AS n',
};

/** Deploys this form of the environment's project. @throws if the deploy fails. */
export async function deployProject(
  client: SvcClient,
  folder: string,
  env: string,
  options: { hourly?: boolean } = {},
): Promise<void> {
  const jobs = jobsOf(env, options).map(
    ({ name, cron, zone, select }) =>
      `  ${name}:\n    select: ["${select}"]\n    schedule: { cron: "${cron}", timezone: ${zone} }\n` +
      (name === 'broken' ? '    notify: { webhook: alerts }\n' : ''),
  );
  const files = { ...ASSETS, 'svc.yaml': `name: ${env}\njobs:\n${jobs.join('')}` };
  const deploy = await deployFiles(client, { env, repository: env, folder }, files);
  if (deploy.status !== 'succeeded')
    throw new Error(`the deploy of ${env} failed with ${JSON.stringify(deploy.error)}`);
}

/** An environment with its project and the account of its schedules. */
export async function startProject(client: SvcClient, folder: string, env: string): Promise<void> {
  await client.environments.create(env);
  await client.repositories.create({ name: env });
  const principal = `timer-${env}`;
  await client.principals.create({ name: principal, type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: env, principal, role: 'DATA_ENGINEER' });
  await deployProject(client, folder, env);
  await client.deployments.setRunAs(env, env, principal);
}
