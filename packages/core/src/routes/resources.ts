/** The resources of the clients, such as `client.groups`. The ids of endpoints start with them. */
export const RESOURCES = {
  access: 'The caller, and who can access what.',
  principals: 'People and service accounts.',
  groups: 'Groups of principals.',
  grants: 'Roles and single actions that are granted to principals and groups.',
  tokens: 'Tokens of principals.',
  rowFilters:
    'Row filters: conditions on the rows of a table that a principal or group sees. They also apply to administrators.',
  columnMasks:
    'Column masks: expressions that a principal or group sees instead of a column. They also apply to administrators.',
  audit: 'The audit log.',
  environments: 'Environments, each with its own namespaces, tables, jobs and secrets.',
  namespaces: 'Namespaces of an environment. Their paths are dotted.',
  tables: 'Tables, views and artifacts. `table` is `<namespace>.<table>`, with a dotted namespace.',
  search: 'Search over the names and descriptions of an environment.',
  lineage: 'The tables that a table is built from, and those that are built from it.',
  writes: 'Loads of rows into tables.',
  uploads: 'Uploads of files in parts. `client.tables.load` sends large files this way.',
  maintenance: 'Maintenance of tables.',
  queries: 'SQL queries.',
  repositories: 'Repositories, the sources of projects.',
  packageIndexes: 'Package indexes that projects can install from.',
  secrets: 'Secrets of an environment. Their values are never returned.',
  deploys: 'Deploys of projects.',
  deployments: 'The deployments of an environment, each named by its repository.',
  projectVersions: 'Project versions, which deploys create.',
  runs: 'Runs of projects.',
} as const;
