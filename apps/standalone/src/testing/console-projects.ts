import { deployFiles, type Files } from './projects.ts';
import type { TestService } from './test-service.ts';

/** A job whose name would do something if a page showed it as HTML or put it into an address unencoded. */
export const HOSTILE_JOB = '50% <img src=x onerror=alert(1)> ?#&';
export const HOSTILE_DESCRIPTION = '<script>alert(1)</script> \u202egpj';

/** Sundays in March: the clocks skip 02:30 on the last one, whatever the year. */
const SPRING = '"30 2 * 3 0", timezone: Europe/Berlin';

const FIRST: Files = {
  'svc.yaml': `jobs:
  nightly:
    select: ["reports.*"]
    schedule: { cron: "0 5 * * *", timezone: UTC }
  retired:
    select: ["reports.*"]
`,
  'assets/reports/days.sql': '/* svc\ntags: [daily]\n*/\nSELECT 1 AS day',
  'assets/reports/old.sql': 'SELECT 1 AS n',
};
const SECOND: Files = {
  'svc.yaml': `jobs:
  nightly:
    select: ["reports.*", "tag:daily"]
    upstream: true
    schedule: { cron: "0 6 * * 1-5", timezone: Europe/Berlin }
  spring:
    select: ["reports.*"]
    schedule: { cron: ${SPRING} }
  ${JSON.stringify(HOSTILE_JOB)}:
    select: ["reports.days"]
`,
  'assets/reports/days.sql': `/* svc\ndescription: ${JSON.stringify(HOSTILE_DESCRIPTION)}\ntags: [daily, core]\n*/\nSELECT 1 AS day`,
  'assets/reports/weeks.sql': 'SELECT day FROM reports.days',
  // Runs for minutes unless it is cancelled.
  'assets/slow/forever.sql': 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1',
};

export interface DeployedProjects {
  /** The deploys of `reports`, oldest first; the last one failed. */
  deploys: readonly string[];
  /** Its versions, oldest first; the last one is active. */
  versions: readonly string[];
}

/** Deploys `reports`, whose jobs run as `robot`, and `drafts`, whose job has no run principal. */
export async function deployProjects({ client, folder }: TestService, env: string): Promise<DeployedProjects> {
  await client.principals.create({ name: 'robot', type: 'service-account' });
  await client.grants.create({ principal: 'robot', kind: 'ENVIRONMENT', environment: env, role: 'DATA_ENGINEER' });
  for (const name of ['reports', 'drafts']) await client.repositories.create({ name });
  const deploy = (repository: string, files: Files) => deployFiles(client, { env, repository, folder }, files);
  const first = await deploy('reports', FIRST);
  await client.deployments.setRunAs(env, 'reports', 'robot');
  const second = await deploy('reports', SECOND);
  const failed = await deploy('reports', { 'svc.yaml': 'jobs:\n  none:\n    select: ["nothing.*"]\n' });
  await deploy('drafts', {
    'svc.yaml': 'jobs:\n  unbound:\n    select: ["*"]\n    schedule: { cron: "@daily" }\n',
    'assets/drafts/one.sql': 'SELECT 1 AS n',
  });
  return {
    deploys: [first.id, second.id, failed.id],
    versions: [first.project_version_id!, second.project_version_id!],
  };
}
