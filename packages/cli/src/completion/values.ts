import { ACTIONS, EVENT_TYPES, OBJECT_KINDS, ROLES, WORK_STATUSES } from '../generated/known.ts';
import type { NameKind } from './names.ts';

/** Where the candidates of an argument or option come from. */
export type Source =
  | { values: readonly string[] }
  | { names: NameKind }
  | { versions: 'all' | 'of the argument' }
  | { tables: 'tables' | 'dropped tables' }
  | { scope: true }
  | { profiles: true }
  | { files: 'files' | 'folders' };

/** Candidates of options by name. */
const OPTIONS: Record<string, Source> = {
  env: { names: 'environments' },
  ns: { names: 'namespaces' },
  repo: { names: 'deployments' },
  job: { names: 'jobs' },
  principal: { names: 'principals' },
  'service-account': { names: 'principals' },
  submitter: { names: 'principals' },
  owner: { names: 'principals' },
  group: { names: 'groups' },
  index: { names: 'indexes' },
  repository: { names: 'repositories' },
  into: { tables: 'tables' },
  scope: { scope: true },
  profile: { profiles: true },
  action: { values: ACTIONS },
  role: { values: ROLES },
  kind: { values: OBJECT_KINDS.map((kind) => kind.toLowerCase()) },
  status: { values: WORK_STATUSES },
  trigger: { values: ['schedule', 'api', 'manual'] },
  'event-type': { values: EVENT_TYPES },
  file: { files: 'files' },
};

/** Candidates of arguments, and of options that depend on the command; the first matching pattern applies. */
const OF_COMMANDS: readonly [pattern: RegExp, source: Source][] = [
  [/^deploy --repo$/, { names: 'repositories' }],
  [/^env restore name$/, { names: 'deleted environments' }],
  [/^env create name$/, { values: [] }],
  [/^env \S+ name$/, { names: 'environments' }],
  [/^ns delete path$/, { names: 'namespaces' }],
  [/ namespace$/, { names: 'namespaces' }],
  [/^table undrop table$/, { tables: 'dropped tables' }],
  [/^table (create|create-external) table$/, { names: 'namespaces' }],
  [/^table (rename new-name|clone target)$/, { names: 'namespaces' }],
  [/^(table|policy) .*table$/, { tables: 'tables' }],
  [/^table load file$/, { files: 'files' }],
  [/^(deploy|init) folder$/, { files: 'folders' }],
  [/^job \S+ name$/, { names: 'jobs' }],
  [/^index (show|update|remove) name$/, { names: 'indexes' }],
  [/^repository (show|update|remove) name$/, { names: 'repositories' }],
  [/^secret (rotate|bind|revoke) name$/, { names: 'secrets' }],
  [/^rollback --to$/, { versions: 'of the argument' }],
  [/^project-version show id$/, { versions: 'all' }],
  [/^(undeploy|rollback) name$/, { names: 'deployments' }],
  [/^deployments \S+ deployment$/, { names: 'deployments' }],
  [/^principal (activate|deactivate|delete) name$/, { names: 'principals' }],
  [/^access \S+ name$/, { names: 'principals' }],
  [/^(token|group) \S+ principal$/, { names: 'principals' }],
  [/^group \S+ group$/, { names: 'groups' }],
  [/^group delete name$/, { names: 'groups' }],
  [/^runs \S+ id$/, { names: 'runs' }],
  [/^query \S+ id$/, { names: 'queries' }],
  [/^deploys \S+ id$/, { names: 'deploys' }],
  [/^api method$/, { values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }],
  [/^completion shell$/, { values: ['bash', 'zsh', 'fish'] }],
];

/** The candidates of an argument (`job run name`) or an option (`deploy --repo`). */
export function sourceOf(position: string, choices: readonly string[] | undefined): Source | null {
  if (choices !== undefined) return { values: choices };
  const found = OF_COMMANDS.find(([pattern]) => pattern.test(position));
  if (found !== undefined) return found[1];
  const option = / --(\S+)$/.exec(position)?.[1];
  return option === undefined ? null : (OPTIONS[option] ?? null);
}
