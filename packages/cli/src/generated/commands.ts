// Written by "npm run generate" from packages/cli/src/commands and packages/cli/package.json.
// biome-ignore format: copied from package.json
export const PACKAGE = {"name":"@svc/cli","version":"0.1.0","oclif":{"bin":"svc","dirname":"svc","topicSeparator":" ","additionalHelpFlags":["-h"],"topics":{"auth":{"description":"Your sign-in"},"env":{"description":"Environments"},"ns":{"description":"Namespaces"},"table":{"description":"Tables, views and artifacts"},"write":{"description":"Writes, such as loads of rows into tables"},"sql":{"description":"SQL statements"},"query":{"description":"Queries"},"saved-query":{"description":"Saved queries"},"repository":{"description":"Repositories"},"index":{"description":"Package indexes"},"secret":{"description":"Secrets"},"deploys":{"description":"Deploys of projects"},"deployments":{"description":"Deployments: the projects that are deployed in an environment"},"project-version":{"description":"Project versions"},"job":{"description":"Jobs"},"runs":{"description":"Runs of projects"},"principal":{"description":"People and service accounts"},"second-factor":{"description":"Your second factors, for signing in with a password"},"identity-provider":{"description":"Identity providers that people sign in with"},"workload-identity":{"description":"Workloads that sign in as a service account: CI jobs and pods"},"token":{"description":"Tokens"},"session":{"description":"Sessions: where you are signed in"},"group":{"description":"Groups"},"grant":{"description":"Grants"},"access":{"description":"Permissions of principals on objects"},"policy":{"description":"Row filters and column masks","subtopics":{"row-filter":{"description":"Row filters"},"column-mask":{"description":"Column masks"}}},"audit":{"description":"The audit log"},"cron":{"description":"Cron expressions"}}}};
export const COMMANDS = {
  'access apply': {
    summary: 'Make groups and grants match a file',
    load: () => import('../commands/access/apply.ts'),
  },
  'access approve': {
    summary: 'Approve a request for access, which creates the grant',
    load: () => import('../commands/access/approve.ts'),
  },
  'access explain': {
    summary: 'Explain what a principal can do on an object, and why',
    load: () => import('../commands/access/explain.ts'),
  },
  'access export': {
    summary: 'Print all groups and active grants as a file for svc access apply',
    load: () => import('../commands/access/export.ts'),
  },
  'access objects': {
    summary: 'List the objects that a principal can access, and why',
    load: () => import('../commands/access/objects.ts'),
  },
  'access reject': {
    summary: 'Reject a request for access',
    load: () => import('../commands/access/reject.ts'),
  },
  'access request': {
    summary: 'Request access for yourself. An administrator approves or rejects it',
    load: () => import('../commands/access/request.ts'),
  },
  'access requests': {
    summary: 'List your requests for access, newest first; as an administrator those of everyone',
    load: () => import('../commands/access/requests.ts'),
  },
  'access who': {
    summary: 'List who can perform an action on an object, and why',
    load: () => import('../commands/access/who.ts'),
  },
  'access withdraw': {
    summary: 'Withdraw a pending request for access of yours',
    load: () => import('../commands/access/withdraw.ts'),
  },
  api: {
    summary: 'Send a request to the REST interface and print the response',
    load: () => import('../commands/api.ts'),
  },
  'audit export': {
    summary: 'Export the audit log as JSON lines, oldest first',
    load: () => import('../commands/audit/export.ts'),
  },
  'audit list': {
    summary: 'List the events of the audit log, newest first',
    load: () => import('../commands/audit/list.ts'),
  },
  'audit verify': {
    summary: 'Verify that the sealed audit log is complete and unchanged',
    load: () => import('../commands/audit/verify.ts'),
  },
  'auth password': {
    summary: 'Change your password and end your other sessions',
    load: () => import('../commands/auth/password.ts'),
  },
  'auth status': {
    summary: 'Show who you are signed in as and where each setting comes from',
    load: () => import('../commands/auth/status.ts'),
  },
  completion: {
    summary: 'Print the completion script for a shell',
    load: () => import('../commands/completion.ts'),
  },
  'cron next': {
    summary: 'Show when a cron expression fires, without a request to the service',
    load: () => import('../commands/cron/next.ts'),
  },
  deploy: {
    summary: 'Deploy a project from its repository, or from a working folder',
    load: () => import('../commands/deploy.ts'),
  },
  'deployments list': {
    summary: 'List the deployments in an environment',
    load: () => import('../commands/deployments/list.ts'),
  },
  'deployments set-run-as': {
    summary: 'Bind the service account that scheduled runs use',
    load: () => import('../commands/deployments/set-run-as.ts'),
  },
  'deploys list': {
    summary: 'List deploys, newest first',
    load: () => import('../commands/deploys/list.ts'),
  },
  'deploys show': {
    summary: 'Show a deploy',
    load: () => import('../commands/deploys/show.ts'),
  },
  dev: {
    summary: 'Build assets of a working folder in a namespace of your own, without deploying them',
    load: () => import('../commands/dev.ts'),
  },
  doctor: {
    summary: 'Diagnose problems with the address, service, versions, storage, clock, sign-in, rights or workers',
    load: () => import('../commands/doctor.ts'),
  },
  'env create': {
    summary: 'Create an environment',
    load: () => import('../commands/env/create.ts'),
  },
  'env delete': {
    summary: 'Delete an environment with its tables; svc env restore undoes it within the undo period',
    load: () => import('../commands/env/delete.ts'),
  },
  'env get': {
    summary: 'Show an environment',
    load: () => import('../commands/env/get.ts'),
  },
  'env list': {
    summary: 'List the environments in which you have a grant, or the deleted ones',
    load: () => import('../commands/env/list.ts'),
  },
  'env orphaned-locations': {
    summary: 'List or remove folders in storage that belong to no table',
    load: () => import('../commands/env/orphaned-locations.ts'),
  },
  'env quotas': {
    summary: 'Show or set the storage and query quotas of an environment',
    load: () => import('../commands/env/quotas.ts'),
  },
  'env restore': {
    summary: 'Restore a deleted environment with its tables and grants',
    load: () => import('../commands/env/restore.ts'),
  },
  'env retention': {
    summary: 'Show or set the number of days after which unused tables in an environment are dropped',
    load: () => import('../commands/env/retention.ts'),
  },
  'env summary': {
    summary: 'Summarize an environment: runs, storage, and the tables that need attention',
    load: () => import('../commands/env/summary.ts'),
  },
  'env update': {
    summary: 'Update the protection, description, maintenance or storage of an environment',
    load: () => import('../commands/env/update.ts'),
  },
  'grant create': {
    summary: 'Grant a role or a single action on an object',
    load: () => import('../commands/grant/create.ts'),
  },
  'grant list': {
    summary: 'List active grants, newest first',
    load: () => import('../commands/grant/list.ts'),
  },
  'grant revoke': {
    summary: 'Revoke a grant',
    load: () => import('../commands/grant/revoke.ts'),
  },
  'group add-member': {
    summary: 'Add a principal to a group',
    load: () => import('../commands/group/add-member.ts'),
  },
  'group create': {
    summary: 'Create a group',
    load: () => import('../commands/group/create.ts'),
  },
  'group delete': {
    summary: 'Delete a group with its grants and memberships',
    load: () => import('../commands/group/delete.ts'),
  },
  'group list': {
    summary: 'List groups, newest first',
    load: () => import('../commands/group/list.ts'),
  },
  'group remove-member': {
    summary: 'Remove a principal from a group',
    load: () => import('../commands/group/remove-member.ts'),
  },
  'identity-provider create': {
    summary: 'Register an identity provider that people can sign in with',
    load: () => import('../commands/identity-provider/create.ts'),
  },
  'identity-provider delete': {
    summary: 'Delete an identity provider with its identities',
    load: () => import('../commands/identity-provider/delete.ts'),
  },
  'identity-provider list': {
    summary: 'List the identity providers',
    load: () => import('../commands/identity-provider/list.ts'),
  },
  'identity-provider show': {
    summary: 'Show an identity provider',
    load: () => import('../commands/identity-provider/show.ts'),
  },
  'identity-provider update': {
    summary: 'Change an identity provider',
    load: () => import('../commands/identity-provider/update.ts'),
  },
  'index add': {
    summary: 'Register a package index',
    load: () => import('../commands/index/add.ts'),
  },
  'index list': {
    summary: 'List the registered package indexes',
    load: () => import('../commands/index/list.ts'),
  },
  'index remove': {
    summary: 'Remove a package index',
    load: () => import('../commands/index/remove.ts'),
  },
  'index show': {
    summary: 'Show a package index',
    load: () => import('../commands/index/show.ts'),
  },
  'index update': {
    summary: 'Change the URL or the secret of a package index',
    load: () => import('../commands/index/update.ts'),
  },
  init: {
    summary: 'Create a project that deploys as it is, without a request to the service',
    load: () => import('../commands/init.ts'),
  },
  'job list': {
    summary: 'List the jobs of an environment',
    load: () => import('../commands/job/list.ts'),
  },
  'job pause': {
    summary: 'Pause the schedule of a job',
    load: () => import('../commands/job/pause.ts'),
  },
  'job resume': {
    summary: 'Resume the schedule of a paused job',
    load: () => import('../commands/job/resume.ts'),
  },
  'job run': {
    summary: 'Start a job manually and follow its run',
    load: () => import('../commands/job/run.ts'),
  },
  'job schedule': {
    summary: "List the next times of a job's schedule",
    load: () => import('../commands/job/schedule.ts'),
  },
  'job show': {
    summary: 'Show a job and its next five scheduled times',
    load: () => import('../commands/job/show.ts'),
  },
  lineage: {
    summary: 'Show the tables that a table is built from, and those that are built from it',
    load: () => import('../commands/lineage.ts'),
  },
  login: {
    summary: 'Sign in and store the token in a profile',
    load: () => import('../commands/login.ts'),
  },
  logout: {
    summary: 'Sign out: remove the token from a profile and end its session',
    load: () => import('../commands/logout.ts'),
  },
  'ns create': {
    summary: 'Create a namespace',
    load: () => import('../commands/ns/create.ts'),
  },
  'ns delete': {
    summary: 'Drop an empty namespace',
    load: () => import('../commands/ns/delete.ts'),
  },
  'ns list': {
    summary: 'List the namespaces that you can read',
    load: () => import('../commands/ns/list.ts'),
  },
  'policy column-mask create': {
    summary: 'Mask a column: show a principal or group an expression instead of the values',
    load: () => import('../commands/policy/column-mask/create.ts'),
  },
  'policy column-mask delete': {
    summary: 'Delete a column mask, so that the column is visible again',
    load: () => import('../commands/policy/column-mask/delete.ts'),
  },
  'policy column-mask list': {
    summary: 'List the column masks of a table',
    load: () => import('../commands/policy/column-mask/list.ts'),
  },
  'policy preview': {
    summary: 'Show the first rows of a table as another principal sees them',
    load: () => import('../commands/policy/preview.ts'),
  },
  'policy row-filter create': {
    summary: 'Filter rows: show a principal or group only the rows that match a predicate',
    load: () => import('../commands/policy/row-filter/create.ts'),
  },
  'policy row-filter delete': {
    summary: 'Delete a row filter, so that all rows are visible again',
    load: () => import('../commands/policy/row-filter/delete.ts'),
  },
  'policy row-filter list': {
    summary: 'List the row filters of a table',
    load: () => import('../commands/policy/row-filter/list.ts'),
  },
  'principal activate': {
    summary: 'Activate a principal, so that it can sign in again',
    load: () => import('../commands/principal/activate.ts'),
  },
  'principal create': {
    summary: 'Create a person or a service account',
    load: () => import('../commands/principal/create.ts'),
  },
  'principal deactivate': {
    summary: 'Stop the tokens of a principal; its grants stay',
    load: () => import('../commands/principal/deactivate.ts'),
  },
  'principal delete': {
    summary: 'Delete a principal with its grants, memberships and tokens',
    load: () => import('../commands/principal/delete.ts'),
  },
  'principal link': {
    summary: 'Link a person to a subject of an identity provider',
    load: () => import('../commands/principal/link.ts'),
  },
  'principal list': {
    summary: 'List principals, newest first',
    load: () => import('../commands/principal/list.ts'),
  },
  'principal remove-second-factors': {
    summary: 'Remove the second factors and recovery codes that a person has lost',
    load: () => import('../commands/principal/remove-second-factors.ts'),
  },
  'principal set-password': {
    summary: 'Set the password of a person and end their sessions',
    load: () => import('../commands/principal/set-password.ts'),
  },
  'principal show': {
    summary: 'Show how a principal can sign in',
    load: () => import('../commands/principal/show.ts'),
  },
  'principal unlink': {
    summary: 'Unlink a person from an identity provider',
    load: () => import('../commands/principal/unlink.ts'),
  },
  'principal update': {
    summary: 'Set the e-mail address that an identity may be linked to',
    load: () => import('../commands/principal/update.ts'),
  },
  'project-version diff': {
    summary: 'Compare a project version with another one',
    load: () => import('../commands/project-version/diff.ts'),
  },
  'project-version list': {
    summary: 'List project versions, newest first',
    load: () => import('../commands/project-version/list.ts'),
  },
  'project-version show': {
    summary: 'Show a project version with its assets, jobs and package indexes',
    load: () => import('../commands/project-version/show.ts'),
  },
  'query cancel': {
    summary: 'Cancel a query',
    load: () => import('../commands/query/cancel.ts'),
  },
  'query list': {
    summary: 'List queries: running, then queued, then, with --all, those that finished in the last 24 hours',
    load: () => import('../commands/query/list.ts'),
  },
  'query results': {
    summary: 'Show the rows of a query that succeeded in the last 24 hours',
    load: () => import('../commands/query/results.ts'),
  },
  'query show': {
    summary: 'Show a query',
    load: () => import('../commands/query/show.ts'),
  },
  'repository add': {
    summary: 'Register a repository',
    load: () => import('../commands/repository/add.ts'),
  },
  'repository list': {
    summary: 'List the registered repositories',
    load: () => import('../commands/repository/list.ts'),
  },
  'repository remove': {
    summary: "Remove a repository that isn't deployed",
    load: () => import('../commands/repository/remove.ts'),
  },
  'repository show': {
    summary: 'Show a repository',
    load: () => import('../commands/repository/show.ts'),
  },
  'repository update': {
    summary: 'Update a repository',
    load: () => import('../commands/repository/update.ts'),
  },
  rollback: {
    summary: 'Roll a deployment back to an earlier project version',
    load: () => import('../commands/rollback.ts'),
  },
  run: {
    summary: 'Run selected assets of a deployed project and follow the run',
    load: () => import('../commands/run.ts'),
  },
  'runs cancel': {
    summary: 'Cancel a run',
    load: () => import('../commands/runs/cancel.ts'),
  },
  'runs list': {
    summary: 'List runs, newest first',
    load: () => import('../commands/runs/list.ts'),
  },
  'runs logs': {
    summary: 'Show the log of a run',
    load: () => import('../commands/runs/logs.ts'),
  },
  'runs retry': {
    summary: 'Retry the failed assets of a run and follow the new run',
    load: () => import('../commands/runs/retry.ts'),
  },
  'runs show': {
    summary: 'Show a run and its tasks, or follow it until it finishes',
    load: () => import('../commands/runs/show.ts'),
  },
  'runs timeline': {
    summary: 'Summarize the runs of a period by job',
    load: () => import('../commands/runs/timeline.ts'),
  },
  'saved-query create': {
    summary: 'Save a query. Only you see it, unless it is shared',
    load: () => import('../commands/saved-query/create.ts'),
  },
  'saved-query delete': {
    summary: 'Delete a saved query',
    load: () => import('../commands/saved-query/delete.ts'),
  },
  'saved-query list': {
    summary: 'List your saved queries and the shared ones of others',
    load: () => import('../commands/saved-query/list.ts'),
  },
  'saved-query show': {
    summary: 'Show a saved query',
    load: () => import('../commands/saved-query/show.ts'),
  },
  'saved-query update': {
    summary: 'Change a saved query, or whether it is shared',
    load: () => import('../commands/saved-query/update.ts'),
  },
  search: {
    summary: 'Find namespaces, tables, columns, assets and jobs by name and description',
    load: () => import('../commands/search.ts'),
  },
  'second-factor add': {
    summary: 'Add an authenticator app as a second factor',
    load: () => import('../commands/second-factor/add.ts'),
  },
  'second-factor delete': {
    summary: 'Remove a second factor of yours',
    load: () => import('../commands/second-factor/delete.ts'),
  },
  'second-factor list': {
    summary: 'List your second factors',
    load: () => import('../commands/second-factor/list.ts'),
  },
  'second-factor recovery-codes': {
    summary: 'Replace your recovery codes and print the new ones',
    load: () => import('../commands/second-factor/recovery-codes.ts'),
  },
  'second-factor rename': {
    summary: 'Rename a second factor of yours',
    load: () => import('../commands/second-factor/rename.ts'),
  },
  'secret bind': {
    summary: 'Bind a secret to a package index, a repository or its environment',
    load: () => import('../commands/secret/bind.ts'),
  },
  'secret create': {
    summary: 'Create a secret from a JSON object on standard input',
    load: () => import('../commands/secret/create.ts'),
  },
  'secret list': {
    summary: 'List the secrets of an environment, without their values',
    load: () => import('../commands/secret/list.ts'),
  },
  'secret revoke': {
    summary: 'Revoke a secret and erase its values',
    load: () => import('../commands/secret/revoke.ts'),
  },
  'secret rotate': {
    summary: 'Replace the values of a secret with a JSON object from standard input',
    load: () => import('../commands/secret/rotate.ts'),
  },
  'session list': {
    summary: 'List your sessions: where you are signed in',
    load: () => import('../commands/session/list.ts'),
  },
  'session revoke': {
    summary: 'Sign out one of your sessions, or all others',
    load: () => import('../commands/session/revoke.ts'),
  },
  sql: {
    summary: 'Run a SQL statement: show rows, write them to a table, or change rows',
    load: () => import('../commands/sql.ts'),
  },
  'sql connect': {
    summary: 'Show how a PostgreSQL client, driver or BI tool connects to an environment',
    load: () => import('../commands/sql/connect.ts'),
  },
  'table alter': {
    summary: 'Add, rename, reorder or drop columns of a managed table, widen their types, or set its identifier fields',
    load: () => import('../commands/table/alter.ts'),
  },
  'table clone': {
    summary: 'Create a table with the current rows of another one',
    load: () => import('../commands/table/clone.ts'),
  },
  'table create': {
    summary: 'Create a managed table',
    load: () => import('../commands/table/create.ts'),
  },
  'table create-external': {
    summary: 'Register existing files as an external table',
    load: () => import('../commands/table/create-external.ts'),
  },
  'table delete': {
    summary: 'Drop a table, view or artifact; svc table undrop restores it within the undo period',
    load: () => import('../commands/table/delete.ts'),
  },
  'table download': {
    summary: 'Download the file of an artifact',
    load: () => import('../commands/table/download.ts'),
  },
  'table expiring': {
    summary: 'List the tables that expire soon, soonest first',
    load: () => import('../commands/table/expiring.ts'),
  },
  'table get': {
    summary: 'Show a table and its columns',
    load: () => import('../commands/table/get.ts'),
  },
  'table health': {
    summary: 'Show the last write and read of a table, its files and its readers',
    load: () => import('../commands/table/health.ts'),
  },
  'table history': {
    summary: 'List the snapshots of a managed table, newest first',
    load: () => import('../commands/table/history.ts'),
  },
  'table hold': {
    summary: 'Place a hold on a table, so that no purge, retention or sweep deletes its files',
    load: () => import('../commands/table/hold.ts'),
  },
  'table list': {
    summary: 'List the tables in a namespace that you can read, or the dropped ones',
    load: () => import('../commands/table/list.ts'),
  },
  'table load': {
    summary: 'Load rows from files into a managed table',
    load: () => import('../commands/table/load.ts'),
  },
  'table maintain': {
    summary: 'Compact a managed table, expire old snapshots and remove unused files',
    load: () => import('../commands/table/maintain.ts'),
  },
  'table purges': {
    summary: 'Show the progress of deleting the files of dropped tables',
    load: () => import('../commands/table/purges.ts'),
  },
  'table release': {
    summary: 'Release the hold on a table',
    load: () => import('../commands/table/release.ts'),
  },
  'table rename': {
    summary: 'Rename a table or view, or move it to another namespace',
    load: () => import('../commands/table/rename.ts'),
  },
  'table retention': {
    summary: 'Show or set when an unused table is dropped',
    load: () => import('../commands/table/retention.ts'),
  },
  'table rollback': {
    summary: 'Roll a managed table back to an older snapshot',
    load: () => import('../commands/table/rollback.ts'),
  },
  'table truncate': {
    summary: 'Remove all rows of a managed table',
    load: () => import('../commands/table/truncate.ts'),
  },
  'table undrop': {
    summary: 'Restore a dropped table with its data, history and policies',
    load: () => import('../commands/table/undrop.ts'),
  },
  'table update': {
    summary: 'Update the description, the column descriptions or the owner of a table',
    load: () => import('../commands/table/update.ts'),
  },
  'token issue': {
    summary: 'Issue a token and print it once',
    load: () => import('../commands/token/issue.ts'),
  },
  'token list': {
    summary: 'List the active tokens of a principal',
    load: () => import('../commands/token/list.ts'),
  },
  'token revoke': {
    summary: 'Revoke a token',
    load: () => import('../commands/token/revoke.ts'),
  },
  'token rotate': {
    summary: 'Replace a token with a new one and print it once',
    load: () => import('../commands/token/rotate.ts'),
  },
  undeploy: {
    summary: 'Undeploy a project; its jobs stop and its tables stay',
    load: () => import('../commands/undeploy.ts'),
  },
  'workload-identity create': {
    summary: 'Let a CI job or a pod sign in as a service account, without a stored secret',
    load: () => import('../commands/workload-identity/create.ts'),
  },
  'workload-identity delete': {
    summary: 'Stop a workload from signing in, and revoke the tokens that it got',
    load: () => import('../commands/workload-identity/delete.ts'),
  },
  'workload-identity list': {
    summary: 'List the workloads that sign in as a service account',
    load: () => import('../commands/workload-identity/list.ts'),
  },
  'write rejected': {
    summary: 'Download the lines that a load left out',
    load: () => import('../commands/write/rejected.ts'),
  },
  'write show': {
    summary: 'Show a write',
    load: () => import('../commands/write/show.ts'),
  },
};
