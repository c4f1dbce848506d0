import * as z from 'zod';
import { namespacePath } from '../access/names.ts';
import { decided, endpoint, filterName, needs, paging, unpagedByDefault, wait } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { failureSchema } from '../errors/index.ts';
import { gitRef } from '../repositories/index.ts';
import { WORK_STATUSES } from '../writes/contract.ts';
import { ASSET_KINDS, ASSET_LANGUAGES } from './asset.ts';

const time = z.iso.datetime();

/** A full commit id of Git. */
const commitId = z
  .string()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be a full commit id: 40 or 64 hexadecimal digits');

/** What a deploy changes about the environment's jobs (DEPLOY-2, DEPLOY-3). */
export const jobChangesSchema = z
  .object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.object({ name: z.string(), changes: z.array(z.enum(['selection', 'cron', 'time zone'])) })),
  })
  .meta({ id: 'JobChanges' });

const namedColumn = z.object({ name: z.string(), type: z.string() }).meta({ id: 'NamedColumn' });
const namedAsset = z.object({ name: z.string(), kind: z.enum(ASSET_KINDS) });

/** How the columns of an asset's table would change. */
export const columnChangesSchema = z
  .object({
    added: z.array(namedColumn),
    removed: z.array(namedColumn),
    changed: z.array(z.object({ name: z.string(), type: z.string(), previous_type: z.string() })),
  })
  .meta({ id: 'ColumnChanges' });

/** What a deploy changes about the assets, or a dry run would change, relative to the active version (DEPLOY-22). */
export const assetChangesSchema = z
  .object({
    added: z.array(namedAsset.extend({ columns: z.array(namedColumn).nullable() })),
    removed: z.array(namedAsset),
    changed: z.array(namedAsset.extend({ changes: z.array(z.string()), columns: columnChangesSchema.nullable() })),
  })
  .meta({ id: 'AssetChanges' });

export const deploySchema = z
  .object({
    id: z.uuid(),
    environment: z.string(),
    repository: z.string(),
    ref: z.string().nullable(),
    commit: z.string().nullable(),
    dirty: z.boolean().nullable(),
    status: z.enum(WORK_STATUSES),
    dry_run: z.boolean(),
    warnings: z.array(z.string()),
    jobs: jobChangesSchema.nullable(),
    /** Null in lists, and of a deploy that failed or whose changes aren't known. */
    assets: assetChangesSchema.nullable(),
    /** The version that was active before; absent in a service of an older version. */
    previous_version_id: z.uuid().nullable().optional(),
    package_indexes: z.array(z.string()),
    project_version_id: z.uuid().nullable(),
    error: failureSchema.nullable(),
    created_by: z.string().nullable(),
    created_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Deploy' });
export type Deploy = z.infer<typeof deploySchema>;

export const deploymentSchema = z
  .object({
    repository: z.string(),
    environment: z.string(),
    project_version_id: z.uuid(),
    commit: z.string().nullable(),
    dirty: z.boolean().nullable(),
    run_as: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof deploymentSchema>;

export const assetSchema = z
  .object({
    name: z.string(),
    kind: z.enum(ASSET_KINDS),
    language: z.enum(ASSET_LANGUAGES),
    description: z.string().nullable(),
    depends_on: z.array(z.string()),
    tags: z.array(z.string()),
  })
  .meta({ id: 'Asset' });

export const projectVersionSchema = z
  .object({
    id: z.uuid(),
    environment: z.string(),
    repository: z.string(),
    commit: z.string().nullable(),
    dirty: z.boolean().nullable(),
    name: z.string(),
    package_indexes: z.array(z.string()),
    /** Hosts that its Python tasks connect to, as `host:port`; absent in a service of an older version. */
    network: z.array(z.string()).optional(),
    assets: z.array(assetSchema),
    jobs: z.array(z.string()),
    created_at: time,
  })
  .meta({ id: 'ProjectVersion' });
export type ProjectVersion = z.infer<typeof projectVersionSchema>;

/** A project version in a list, without its assets: there may be thousands. */
export const projectVersionSummarySchema = projectVersionSchema
  .omit({ network: true, assets: true })
  .extend({ asset_count: z.int(), active: z.boolean() })
  .meta({ id: 'ProjectVersionSummary' });
export type ProjectVersionSummary = z.infer<typeof projectVersionSummarySchema>;

/** The text of an SQL asset, or of a Python file, that differs between two versions. */
const sourceChangeSchema = z
  .object({
    file: z.string(),
    assets: z.array(z.string()),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })
  .meta({ id: 'SourceChange' });

/** What differs between two versions (DEPLOY-26). */
export const versionChangesSchema = z
  .object({
    project_version_id: z.uuid(),
    against: z.uuid().nullable(),
    assets: assetChangesSchema,
    jobs: jobChangesSchema,
    sources: z.array(sourceChangeSchema),
    omitted_sources: z.int(),
  })
  .meta({ id: 'VersionChanges' });
export type VersionChanges = z.infer<typeof versionChangesSchema>;

const ofRepository = envParams.extend({ repository: z.string() });

export const deployEndpoints = {
  uploadBundle: endpoint({
    id: 'deploys.uploadBundle',
    method: 'POST',
    path: '/api/v1/environments/{env}/bundles',
    summary: 'Upload a local folder as a tar.gz archive',
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: envParams,
    body: { stream: ['application/gzip'] },
    response: { status: 201, schema: z.object({ bundle_id: z.uuid() }).meta({ id: 'Bundle' }) },
    errors: ['not-found', 'unsupported-media-type', 'body-too-large'],
  }),
  create: endpoint({
    id: 'deploys.create',
    method: 'POST',
    path: '/api/v1/environments/{env}/deploys',
    summary: 'Deploy a repository, or a bundle of a local folder',
    client: {
      notes:
        'Returns immediately. A rejected deploy gets the status `failed`. A dry run with `dev_namespace` stores a version ' +
        'that you can run: it builds its tables inside that namespace.',
      typescript: { object: 'body' },
      python: { positional: ['repository'] },
    },
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: envParams,
    body: z
      .strictObject({
        repository: z.string(),
        ref: gitRef.optional(),
        bundle_id: z.uuid('must be the bundle_id of an upload').optional(),
        commit: commitId.optional(),
        dirty: z.boolean().optional(),
        dry_run: z.boolean().default(false),
        dev_namespace: namespacePath.optional(),
      })
      .refine((b) => b.ref === undefined || b.bundle_id === undefined, {
        path: ['ref'],
        message: 'a bundle has no ref: name one of ref and bundle_id',
      })
      .refine((b) => b.commit === undefined || b.bundle_id !== undefined, {
        path: ['commit'],
        message: 'describes a bundle: without one, ref names the commit to fetch',
      })
      .refine((b) => b.dev_namespace === undefined || b.dry_run, {
        path: ['dev_namespace'],
        message: 'needs dry_run: its version is not deployed',
      })
      .refine((b) => (b.commit === undefined) === (b.dirty === undefined), {
        path: ['dirty'],
        message: 'needs commit, and commit needs it',
      }),
    response: { status: 202, schema: deploySchema },
    errors: ['not-found', 'environment-protected'],
  }),
  list: endpoint({
    id: 'deploys.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/deploys',
    summary: 'List deploys, newest first',
    client: { typescript: { type: 'DeployFilters' } },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ repository: filterName, ...paging }),
    response: { status: 200, schema: z.array(deploySchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'deploys.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/deploys/{id}',
    summary: 'Get a deploy',
    client: {},
    needs: decided('DEPLOY or READ_ENVIRONMENT on the environment', 'READ_ENVIRONMENT', 'DEPLOY'),
    params: envParams.extend({ id: z.string() }),
    query: z.strictObject({ wait }),
    response: { status: 200, schema: deploySchema },
    errors: ['not-found'],
  }),
  listDeployments: endpoint({
    id: 'deployments.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/deployments',
    summary: 'List deployments, by repository',
    client: {},
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(deploymentSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  setRunAs: endpoint({
    id: 'deployments.setRunAs',
    method: 'PUT',
    path: '/api/v1/environments/{env}/deployments/{repository}/run-as',
    summary: 'Set the service account that scheduled runs act as',
    client: { positional: ['principal'], notes: '`null` removes it.' },
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: ofRepository,
    body: z.strictObject({ principal: z.string().nullable() }),
    response: { status: 200, schema: deploymentSchema },
    errors: ['not-found'],
  }),
  rollback: endpoint({
    id: 'deployments.rollback',
    method: 'POST',
    path: '/api/v1/environments/{env}/deployments/{repository}/rollback',
    summary: 'Roll back to an earlier project version',
    client: { notes: 'The default is the previous one.' },
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: ofRepository,
    body: z.strictObject({ project_version_id: z.uuid().optional() }),
    bodyOptional: true,
    response: { status: 200, schema: deploymentSchema },
    errors: ['not-found', 'not-deployed'],
  }),
  undeploy: endpoint({
    id: 'deployments.delete',
    method: 'DELETE',
    path: '/api/v1/environments/{env}/deployments/{repository}',
    summary: 'Undeploy a repository. Its jobs are removed, its tables stay',
    client: { name: 'deployments.undeploy' },
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: ofRepository,
    response: { status: 204 },
    errors: ['not-found'],
  }),
  listProjectVersions: endpoint({
    id: 'projectVersions.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/project-versions',
    summary: 'List project versions, newest first',
    client: { notes: '`active` is the deployed one of its repository.', typescript: { type: 'ProjectVersionFilters' } },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ repository: filterName, ...paging }),
    response: { status: 200, schema: z.array(projectVersionSummarySchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  getProjectVersion: endpoint({
    id: 'projectVersions.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/project-versions/{id}',
    summary: 'Get a project version',
    client: {},
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams.extend({ id: z.string() }),
    response: { status: 200, schema: projectVersionSchema },
    errors: ['not-found'],
  }),
  compareProjectVersion: endpoint({
    id: 'projectVersions.compare',
    method: 'GET',
    path: '/api/v1/environments/{env}/project-versions/{id}/changes',
    summary: 'Compare a project version with another one: assets, jobs, SQL and Python code',
    client: {
      notes:
        '`against` is the version to compare with (default: the one before). `sources` has the texts that you can read: ' +
        'with DEPLOY all, otherwise those of tables that you can read.',
    },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams.extend({ id: z.string() }),
    query: z.strictObject({ against: z.uuid('must be the id of a project version').optional() }),
    response: { status: 200, schema: versionChangesSchema },
    errors: ['not-found'],
  }),
};
