/** The order of commands in `svc help`: topics and commands of one word. A test makes sure that none is missing. */
export const COMMAND_GROUPS: readonly (readonly [title: string, topics: readonly string[]])[] = [
  ['Data', ['sql', 'search', 'lineage', 'table', 'ns', 'query', 'saved-query', 'write']],
  [
    'Projects',
    [
      ...['init', 'dev', 'deploy', 'undeploy', 'rollback', 'deploys', 'deployments', 'project-version'],
      ...['run', 'runs', 'job', 'cron', 'repository', 'index'],
    ],
  ],
  ['Environments', ['env', 'secret']],
  ['Access', ['principal', 'group', 'identity-provider', 'workload-identity', 'token', 'grant', 'access', 'policy']],
  ['Operations', ['audit', 'doctor', 'api']],
  ['Sign-in and shell', ['login', 'logout', 'auth', 'session', 'second-factor', 'completion']],
];
