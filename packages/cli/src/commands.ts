import type { Config } from '@oclif/core/config';
import type { Io } from './io.ts';

/** A command with its words, options and examples. */
export interface CommandClass {
  id: string;
  summary?: string;
  description?: string;
  args: object;
  flags: object;
  baseFlags: object;
  examples: unknown;
  new (argv: string[], config: Config): { execute(io: Io): Promise<void> };
}
type Load = () => Promise<{ default: unknown }>;

/** Every command by its words, loaded when it is called. */
const LOADERS: Record<string, Load> = {
  login: () => import('./commands/login.ts'),
  'auth status': () => import('./commands/auth/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  'env create': () => import('./commands/env/create.ts'),
  'env list': () => import('./commands/env/list.ts'),
  'env get': () => import('./commands/env/get.ts'),
  'env update': () => import('./commands/env/update.ts'),
  'ns create': () => import('./commands/ns/create.ts'),
  'ns list': () => import('./commands/ns/list.ts'),
  'ns delete': () => import('./commands/ns/delete.ts'),
  'table create': () => import('./commands/table/create.ts'),
  'table create-external': () => import('./commands/table/create-external.ts'),
  'table list': () => import('./commands/table/list.ts'),
  'table get': () => import('./commands/table/get.ts'),
  'table update': () => import('./commands/table/update.ts'),
  'table load': () => import('./commands/table/load.ts'),
  'table history': () => import('./commands/table/history.ts'),
  'table health': () => import('./commands/table/health.ts'),
  'table download': () => import('./commands/table/download.ts'),
  'write show': () => import('./commands/write/show.ts'),
  sql: () => import('./commands/sql.ts'),
  'query list': () => import('./commands/query/list.ts'),
  'query show': () => import('./commands/query/show.ts'),
  'query results': () => import('./commands/query/results.ts'),
  'query cancel': () => import('./commands/query/cancel.ts'),
  'repository add': () => import('./commands/repository/add.ts'),
  'repository list': () => import('./commands/repository/list.ts'),
  'repository show': () => import('./commands/repository/show.ts'),
  'repository update': () => import('./commands/repository/update.ts'),
  'repository remove': () => import('./commands/repository/remove.ts'),
  deploy: () => import('./commands/deploy.ts'),
  undeploy: () => import('./commands/undeploy.ts'),
  rollback: () => import('./commands/rollback.ts'),
  'deploys list': () => import('./commands/deploys/list.ts'),
  'deploys show': () => import('./commands/deploys/show.ts'),
  'deployments list': () => import('./commands/deployments/list.ts'),
  'deployments set-run-as': () => import('./commands/deployments/set-run-as.ts'),
  'project-version show': () => import('./commands/project-version/show.ts'),
  'job list': () => import('./commands/job/list.ts'),
  'job show': () => import('./commands/job/show.ts'),
  'job pause': () => import('./commands/job/pause.ts'),
  'job resume': () => import('./commands/job/resume.ts'),
  'job run': () => import('./commands/job/run.ts'),
  run: () => import('./commands/run.ts'),
  'runs list': () => import('./commands/runs/list.ts'),
  'runs show': () => import('./commands/runs/show.ts'),
  'runs logs': () => import('./commands/runs/logs.ts'),
  'runs cancel': () => import('./commands/runs/cancel.ts'),
  'runs retry': () => import('./commands/runs/retry.ts'),
  'principal create': () => import('./commands/principal/create.ts'),
  'principal list': () => import('./commands/principal/list.ts'),
  'principal activate': () => import('./commands/principal/activate.ts'),
  'principal deactivate': () => import('./commands/principal/deactivate.ts'),
  'principal delete': () => import('./commands/principal/delete.ts'),
  'token issue': () => import('./commands/token/issue.ts'),
  'token list': () => import('./commands/token/list.ts'),
  'token revoke': () => import('./commands/token/revoke.ts'),
  'group create': () => import('./commands/group/create.ts'),
  'group list': () => import('./commands/group/list.ts'),
  'group add-member': () => import('./commands/group/add-member.ts'),
  'group delete': () => import('./commands/group/delete.ts'),
  'group remove-member': () => import('./commands/group/remove-member.ts'),
  'grant create': () => import('./commands/grant/create.ts'),
  'grant list': () => import('./commands/grant/list.ts'),
  'grant revoke': () => import('./commands/grant/revoke.ts'),
  'access explain': () => import('./commands/access/explain.ts'),
  'access who': () => import('./commands/access/who.ts'),
  'access objects': () => import('./commands/access/objects.ts'),
  'policy row-filter create': () => import('./commands/policy/row-filter/create.ts'),
  'policy row-filter list': () => import('./commands/policy/row-filter/list.ts'),
  'policy row-filter delete': () => import('./commands/policy/row-filter/delete.ts'),
  'policy column-mask create': () => import('./commands/policy/column-mask/create.ts'),
  'policy column-mask list': () => import('./commands/policy/column-mask/list.ts'),
  'policy column-mask delete': () => import('./commands/policy/column-mask/delete.ts'),
  'audit list': () => import('./commands/audit/list.ts'),
  'audit verify': () => import('./commands/audit/verify.ts'),
  'audit export': () => import('./commands/audit/export.ts'),
  'cron next': () => import('./commands/cron/next.ts'),
};
export const COMMANDS = LOADERS as Record<string, () => Promise<{ default: CommandClass }>>;

/** What the words before the verb stand for. */
export const TOPICS: Record<string, string> = {
  auth: 'Who you are',
  env: 'Environments',
  ns: 'Namespaces',
  table: 'Tables, views and artifacts',
  write: 'Loads of rows',
  query: 'Queries',
  repository: 'Repositories',
  deploys: 'Deploys',
  deployments: 'What is deployed',
  'project-version': 'Project versions',
  job: 'Jobs',
  runs: 'Runs',
  principal: 'People and service accounts',
  token: 'Tokens',
  group: 'Groups',
  grant: 'Grants',
  access: 'What a principal may do',
  policy: 'Row filters and column masks',
  'policy row-filter': 'Row filters',
  'policy column-mask': 'Column masks',
  audit: 'The audit log',
  cron: 'Cron texts',
};
