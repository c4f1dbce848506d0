import { after, all, before, type Edit } from './edits.ts';

const changeset = (name: string, text: string): Edit => ({
  path: `.changeset/${name}.md`,
  change: `---\n'@svc/core': minor\n'@svc/sdk': minor\n'@svc/cli': minor\n---\n\n${text}\n`,
});

const CONTRACT = `  rename: endpoint({
    id: 'repositories.rename',
    method: 'PUT',
    path: '/api/v1/repositories/{name}/name',
    summary: 'Rename a repository',
    client: { positional: ['new_name'] },
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    params: oneName,
    body: z.strictObject({ new_name: repositoryName }),
    response: { status: 200, schema: repositorySchema },
    errors: ['not-found'],
  }),
`;

const OPERATION = `import type { Transaction } from '../connection/index.ts';

export async function renameRepository(
  client: Transaction,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<void> {
  await client.repository.update({ where: { id }, data: { name, updated_at: now } });
}
`;

const HANDLER = `const rename = route(endpoints.rename, async (ctx) => {
  const old = await requireRepository(ctx.db, ctx.params.name);
  await renameRepository(ctx.db, { id: old.id, name: ctx.body.new_name, now: ctx.now });
  const repository = await requireRepository(ctx.db, ctx.body.new_name);
  const detail = { repository_id: old.id, name: repository.name, changed: ['name'], previous: { name: old.name } };
  await ctx.audit({ type: 'REPOSITORY_UPDATED', detail });
  return repository;
});

`;

const RENAME = `import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class RepositoryRename extends SvcCommand<typeof RepositoryRename> {
  static override summary = 'Rename a repository';
  static override examples = ['svc repository rename shop store'];
  static override args = {
    name: requiredArg('name of the repository'),
    new_name: requiredArg('its new name'),
  };

  async run(): Promise<void> {
    const repository = await this.client.repositories.rename(this.args.name, this.args.new_name);
    this.record(repository, [['name', repository.name]]);
  }
}
`;

const COUNT = `import { SvcCommand } from '../../svc-command.ts';

export default class RepositoryCount extends SvcCommand<typeof RepositoryCount> {
  static override summary = 'Count the registered repositories';
  static override examples = ['svc repository count'];

  async run(): Promise<void> {
    const { length } = await this.client.repositories.list();
    this.record({ repositories: length }, [['repositories', String(length)]]);
  }
}
`;

const CALL = {
  name: 'repositories.rename',
  route: 'repositories.rename',
  python: { call: 'repositories.rename', args: ['shop', 'store'] },
  typescript: { call: 'repositories.rename', args: ['shop', 'store'] },
  request: { method: 'PUT', path: '/api/v1/repositories/shop/name', body: { new_name: 'store' } },
  answer: { status: 200, record: 'Repository' },
};

const SETTING = `  allowRenaming: {
    name: 'SVC_REPOSITORIES__ALLOW_RENAMING',
    read: bool(true),
    meaning: 'Whether repositories can be renamed',
    byDefault: 'true',
  },
`;

export const MIGRATION = 'prisma/migrations/20991231235959_add_note_to_repositories/migration.sql';

/** What a contributor writes for each recipe: a small example, applied in this order. */
export const EXAMPLES: Readonly<Record<string, readonly Edit[]>> = {
  'Add a route and its command': [
    { path: 'packages/core/src/repositories/contract.ts', change: before('  delete: endpoint({', CONTRACT) },
    { path: 'packages/db/src/repositories/rename-repository.ts', change: OPERATION },
    {
      path: 'packages/db/src/repositories/index.ts',
      change: (text) => `export { renameRepository } from './rename-repository.ts';\n${text}`,
    },
    {
      path: 'packages/api/src/repositories/routes.ts',
      change: all(
        before('  updateRepository,\n', '  renameRepository,\n'),
        before('const remove =', HANDLER),
        after('[create, list, get, update', ', rename'),
      ),
    },
    { path: 'packages/cli/src/commands/repository/rename.ts', change: RENAME },
    {
      path: 'packages/cli/specified/commands.json',
      change: after('{\n', '  "repository rename": { "from": "interface", "args": "NAME NEW_NAME" },\n'),
    },
    { path: 'vectors/calls.json', change: after('[\n', `  ${JSON.stringify(CALL)},\n`) },
    changeset('repositories-renamed', 'Repositories can be renamed.'),
  ],
  'Add a column': [
    {
      path: 'prisma/schema.prisma',
      change: after('model Repository {\n', '  note String?\n'),
    },
    { path: MIGRATION, change: 'ALTER TABLE repositories ADD COLUMN note text;\n' },
    {
      path: 'packages/db/src/repositories/repositories.ts',
      change: all(
        after('credential_secret: row.credential_secret,\n', '  note: row.note,\n'),
        after('repositoryRecord({ ...r,', ' note: null,'),
      ),
    },
    {
      path: 'packages/core/src/repositories/contract.ts',
      change: after('credential_secret: z.string().nullable(),\n', '    note: z.string().nullable(),\n'),
    },
    {
      path: 'packages/sdk-python/src/svc/_project_models.py',
      change: after('    folder: str | None\n    credential_secret: str | None\n', '    note: str | None\n'),
    },
    { path: 'vectors/records.json', change: after('"Repository": {\n', '    "note": "n",\n') },
    changeset('repositories-have-notes', 'Repositories have a note.'),
  ],
  'Add a command': [
    { path: 'packages/cli/src/commands/repository/count.ts', change: COUNT },
    {
      path: 'packages/cli/specified/commands.json',
      change: after('{\n', '  "repository count": { "from": "interface" },\n'),
    },
    changeset('repositories-counted', '`svc repository count` counts the repositories.'),
  ],
  'Add a setting': [
    {
      path: 'packages/core/src/settings/definitions/governance.ts',
      change: after('governanceSettings = {\n', SETTING),
    },
    {
      path: 'packages/api/src/repositories/routes.ts',
      change: after(
        'const rename = route(endpoints.rename, async (ctx) => {\n',
        "  if (!ctx.deps.settings.allowRenaming) throw new ApiError('forbidden', 'Repositories can not be renamed here.');\n",
      ),
    },
    changeset('renaming-is-a-setting', '`SVC_REPOSITORIES__ALLOW_RENAMING` allows renaming repositories.'),
  ],
};
