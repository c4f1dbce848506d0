import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveJobs } from '@svc/core/deploys';
import { findDeploy, findDeployment, removeDeployment, setCurrentVersion, submitDeploy } from '@svc/db/deploys';
import { waitToStart } from '@svc/db/jobs';
import { createNamespace } from '@svc/db/namespaces';
import { removeRepository } from '@svc/db/repositories';
import { claimExpired, findExpired } from '@svc/db/retention';
import { createTable } from '@svc/db/tables';
import type { Sandbox } from '@svc/lake/queries';
import { openLocalStore } from '@svc/lake/storage';
import { type Project, World } from '../jobs/testing/world.ts';
import { ServiceRelay } from '../outgoing/index.ts';
import { openTestSandbox } from '../testing/index.ts';
import { Claims } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { CheckedProject, DeployWork } from './deploy-work.ts';
import { finishDryRun, finishSucceeded } from './finish-deploy.ts';
import { readProject } from './read-project.ts';

let world: World;
let folder: string;
let sandbox: Sandbox;
let deps: WorkerDeps;
let claims: Claims;
beforeAll(async () => {
  world = await World.open();
  folder = await mkdtemp(join(tmpdir(), 'svc-deploys-'));
  sandbox = await openTestSandbox(folder);
  const service = new ServiceRelay('http://127.0.0.1:8470', {}, null);
  const taskNetwork = { service, approved: [{ host: '*.example.com', port: 443 }], upstream: null };
  deps = { ...world.deps, taskNetwork, store: await openLocalStore(join(folder, 'store')) };
  claims = new Claims({ db: deps.db, owner: world.owner, leaseMs: 60_000, clock: deps.clock });
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** A deploy of a project with these jobs that has been read and validated, and waits to be applied. */
async function ready(
  p: Project,
  jobs: readonly string[],
  dryRun = false,
  manifest = '',
): Promise<[DeployWork, CheckedProject]> {
  const dir = await mkdtemp(join(folder, 'project-'));
  await mkdir(join(dir, 'assets', 'a'), { recursive: true });
  await writeFile(join(dir, 'assets', 'a', 't.sql'), 'SELECT 1 AS x');
  await writeFile(
    join(dir, 'svc.yaml'),
    `jobs: {${jobs.map((name) => `${name}: {select: ["*"]}`).join(', ')}}\n${manifest}`,
  );
  world.now = new Date(world.now.getTime() + 1000);
  const { environmentId, repositoryId, account: createdBy } = p;
  const id = world.newId();
  const deploy = { id, environmentId, repositoryId, ref: null, bundleId: null, dryRun, createdBy };
  await submitDeploy(world.prisma, { ...deploy, requestId: id, now: world.now });
  const claim = (await claims.claim('deploys'))!;
  const row = (await findDeploy(world.prisma, claim.id))!;
  const project = await readProject(dir, { maxStatementBytes: 10_000, owner: 'tests', python: null, sandbox });
  expect(project.problems).toEqual([]);
  const found = { dir, commit: null, project, jobs: resolveJobs(project.manifest!, row.environment) };
  const nothing = {
    packageIndexes: [],
    namespaces: [],
    assets: project.assets,
    lockHash: null,
    code: [],
    droppedViews: [],
    warnings: [],
  };
  return [
    { deps, claim, row },
    { ...found, ...nothing },
  ];
}

const recordOf = ([{ row }]: [DeployWork, CheckedProject]) =>
  world.prisma.deploy.findUniqueOrThrow({
    where: { id: row.id },
    select: { status: true, jobs: true, warnings: true },
  });
const changes = (added: string[], removed: string[]) => ({ added, removed, changed: [] });
const droppedWarning = (job: string) => `job ${job} is removed while a start of it waits: the start is dropped`;

test('each of several concurrent deploys reports its changes relative to the previous one', async () => {
  const p = await world.deploy('several', { first: null });
  const works = [await ready(p, ['first', 'second']), await ready(p, ['third']), await ready(p, ['third', 'first'])];
  for (const [work, checked] of works) await finishSucceeded(work, checked, null);
  expect(await Promise.all(works.map(recordOf))).toEqual([
    { status: 'succeeded', warnings: [], jobs: changes(['second'], []) },
    { status: 'succeeded', warnings: [], jobs: changes(['third'], ['first', 'second']) },
    { status: 'succeeded', warnings: [], jobs: changes(['first'], []) },
  ]);
});

test('a deploy of a repository that was removed in the meantime activates nothing (DEPLOY-1)', async () => {
  const p = await world.deploy('removed', {});
  const of = { where: { environment_id: p.environmentId } };
  await world.prisma.deployment.updateMany({ ...of, data: { ended_at: world.now } });
  const deploy = await ready(p, ['first']);
  await removeRepository(world.prisma, { id: p.repositoryId, name: 'removed', by: p.account, now: world.now });
  await finishSucceeded(...deploy, null);
  expect(await recordOf(deploy)).toMatchObject({ status: 'failed' });
  expect(await world.prisma.deployment.count({ where: { ...of.where, ended_at: null } })).toBe(0);
  expect(await world.prisma.job.count({ where: { ...of.where, removed_at: null } })).toBe(0);
});

test('a deploy whose principal loses DEPLOY or is deactivated before its end activates nothing', async () => {
  const p = await world.deploy('denied', { first: null });
  const revoked = await ready(p, ['second']);
  await world.prisma.grant.updateMany({ where: { principal_id: p.account }, data: { ended_at: world.now } });
  await finishSucceeded(...revoked, null);
  const deactivated = await ready(p, ['third']);
  await world.prisma.principal.update({ where: { id: p.account }, data: { active: false } });
  await finishSucceeded(...deactivated, null);
  expect(await recordOf(revoked)).toMatchObject({ status: 'failed' });
  expect(await recordOf(deactivated)).toMatchObject({ status: 'failed' });
  const denied = await world.events<{ action: string }>(p, 'AUTHORIZATION_DENIED');
  expect(denied.map(({ action }) => action)).toEqual(['DEPLOY', 'DEPLOY']);
  const jobs = await world.prisma.job.findMany({ where: { environment_id: p.environmentId, removed_at: null } });
  expect(jobs.map(({ name }) => name)).toEqual(['first']);
});

test('a deploy that finishes after a later deploy, a rollback or an undeploy changes nothing', async () => {
  const p = await world.deploy('overtaken', { first: null });
  const works = [await ready(p, ['second']), await ready(p, ['third']), await ready(p, ['fourth'])] as const;
  const [early, current, late] = works;
  await finishSucceeded(...current, null);
  await finishSucceeded(...early, null);
  const version = await world.prisma.projectVersion.findFirstOrThrow({ where: { deploy_id: current[0].row.id } });
  world.now = new Date(world.now.getTime() + 1000);
  const project = { environmentId: p.environmentId, repositoryId: p.repositoryId };
  const rollback = { id: world.newId(), ...project, versionId: version.id, by: p.account, now: world.now };
  await setCurrentVersion(world.prisma, { ...rollback, isRollback: true });
  await finishSucceeded(...late, null);
  const submitted = await ready(p, ['fifth']);
  world.now = new Date(world.now.getTime() + 1000);
  const deployment = (await findDeployment(world.prisma, { environmentId: p.environmentId, repository: 'overtaken' }))!;
  expect(deployment.project_version_id).toBe(version.id);
  await removeDeployment(world.prisma, { deployment, by: p.account, now: world.now });
  await finishSucceeded(...submitted, null);
  const again = await ready(p, ['sixth']);
  await finishSucceeded(...again, null);
  const all = await world.prisma.deploy.findMany({ where: { repository_id: p.repositoryId }, orderBy: { id: 'asc' } });
  const outcomeOf = ([{ row }]: [DeployWork, CheckedProject]) => {
    const { status, error } = all.find(({ id }) => id === row.id)!;
    return [status, (error as { detail: string } | null)?.detail ?? null];
  };
  expect([early, current, late, submitted, again].map(outcomeOf)).toEqual([
    ['failed', 'A later deploy of this repository finished first.'],
    ['succeeded', null],
    ['failed', 'The project was rolled back after this deploy was submitted.'],
    ['failed', 'The project was undeployed after this deploy was submitted.'],
    ['succeeded', null],
  ]);
});

test("a host that the operator hasn't approved is a warning, and stays on the version (DEPLOY-4)", async () => {
  const p = await world.deploy('network', {});
  const manifest = 'network: [api.example.com, "api.example.com:80", internal.example.org]';
  const deploy = await ready(p, [], false, manifest);
  await finishSucceeded(...deploy, null);
  const warning = (host: string) => expect.stringContaining(`names ${host}, which the operator hasn't approved`);
  expect(await recordOf(deploy)).toMatchObject({
    warnings: [warning('api.example.com:80'), warning('internal.example.org:443')],
  });
  const version = await world.prisma.projectVersion.findFirstOrThrow({ where: { deploy_id: deploy[0].row.id } });
  expect(version.network).toEqual(['api.example.com:443', 'api.example.com:80', 'internal.example.org:443']);
});

test.each([
  ['spark', 'SVC_RUN__SPARK_CONNECT'],
  ['trino', 'SVC_QUERY__TRINO_URL'],
] as const)('an asset with engine: %s is a warning if the service lacks it (DEPLOY-4)', async (engine, setting) => {
  const p = await world.deploy(engine, {});
  const [work, checked] = await ready(p, []);
  const assets = checked.project.assets.map((asset) => ({ ...asset, engine }));
  const settings = { ...deps.settings, sparkConnect: undefined, trinoUrl: undefined };
  const deploy: [DeployWork, CheckedProject] = [
    { ...work, deps: { ...deps, settings } },
    { ...checked, project: { ...checked.project, assets } },
  ];
  await finishSucceeded(...deploy, null);
  expect(await recordOf(deploy)).toMatchObject({
    warnings: [expect.stringContaining(`its task fails until ${setting}`)],
  });
  const [dryWork] = await ready(p, [], true);
  const changes = { assets: { added: [], removed: [], changed: [] }, previousVersionId: null };
  const dry: [DeployWork, CheckedProject] = [{ ...dryWork, deps: { ...deps, settings } }, deploy[1]];
  await finishDryRun(...dry, changes);
  expect(await recordOf(dry)).toMatchObject({
    warnings: [expect.stringContaining(`its task would fail until ${setting}`)],
  });
});

test('a start that is enqueued during a deploy is dropped with a warning (DEPLOY-4, JOBS-9)', async () => {
  const p = await world.deploy('late', { kept: null, gone: null });
  const waiting = await ready(p, ['kept']);
  await world.requestStart(p, 'gone', p.account);
  await world.requestStart(p, 'kept', p.account);
  await finishSucceeded(...waiting, null);
  expect(await recordOf(waiting)).toMatchObject({ warnings: [droppedWarning('gone')], jobs: changes([], ['gone']) });
  const dropped = await world.events<{ job: string; reason: string }>(p, 'JOB_START_DROPPED');
  expect(dropped).toMatchObject([{ job: 'gone', reason: 'a deploy removed the job' }]);
});

test('a start that ran in the meantime is not reported as dropped (DEPLOY-2)', async () => {
  const p = await world.deploy('begun', { gone: null });
  const due = { id: world.newId(), jobId: p.jobs['gone']!, ...p, trigger: 'schedule' as const, requesterId: null };
  await waitToStart(world.prisma, [{ ...due, scheduledFor: world.now, missed: 0, now: world.now }]);
  const waiting = await ready(p, []);
  const dry = await ready(p, [], true);
  await finishDryRun(...dry, { assets: { added: [], removed: [], changed: [] }, previousVersionId: null });
  expect(await recordOf(dry)).toMatchObject({
    warnings: [droppedWarning('gone').replace('is dropped', 'would be dropped')],
    jobs: changes([], ['gone']),
  });
  await world.tick();
  expect(await world.runsOf(p)).toHaveLength(1);
  await finishSucceeded(...waiting, null);
  expect(await recordOf(waiting)).toMatchObject({ warnings: [], jobs: changes([], ['gone']) });
  expect(await world.events(p, 'JOB_START_DROPPED')).toEqual([]);
});

test('a table that somebody creates with the name of an active asset never expires (RETAIN-4)', async () => {
  const { environmentId, repositoryId, account: createdBy } = await world.deploy('named', {});
  const { now, prisma } = world;
  const namespaceId = world.newId();
  await createNamespace(prisma, { id: namespaceId, environmentId, path: 'a', description: null, createdBy, now });
  const made = async (name: string) => {
    const id = world.newId();
    const row = { id, environmentId, namespaceId, name, kind: 'managed' as const, columns: [], createdBy, now };
    await createTable(prisma, { ...row, description: null, location: null, expireAfter: 1 });
    return id;
  };
  const builderOf = async (id: string) => (await prisma.table.findUniqueOrThrow({ where: { id } })).built_by_repository;
  const [asset, other] = [await made('T'), await made('other')];
  expect([await builderOf(asset), await builderOf(other)]).toEqual([repositoryId, null]);
  // As after a deploy that committed at the same moment.
  await prisma.table.update({ where: { id: asset }, data: { built_by_repository: null } });
  const later = new Date(now.getTime() + 2 * 86_400_000);
  expect(await findExpired(prisma, { now: later, limit: 10 })).toEqual(expect.arrayContaining([asset, other]));
  expect(await claimExpired(prisma, asset)).toBeNull();
  expect(await claimExpired(prisma, other)).toMatchObject({ id: other });
  expect([await builderOf(asset), await builderOf(other)]).toEqual([repositoryId, null]);
});

describe('two projects with an asset of the same name', () => {
  /** A project of the environment of another one. */
  async function besides(p: Project, name: string): Promise<Project> {
    const repositoryId = world.newId();
    const { now } = world;
    await world.prisma.repository.create({ data: { id: repositoryId, name, created_at: now, updated_at: now } });
    return { ...p, repositoryId };
  }

  test('are a warning of the deploy (DEPLOY-4)', async () => {
    const first = await world.deploy('first', {});
    const second = await besides(first, 'second');
    const none = { assets: { added: [], removed: [], changed: [] }, previousVersionId: null };
    const dry = await ready(second, [], true);
    await finishDryRun(...dry, none);
    const deploy = await ready(second, []);
    await finishSucceeded(...deploy, null);
    const warning = (verb: string) =>
      `asset a.t is also built by the project first: each of the two ${verb} what the other has built (remove or rename it in one of them)`;
    expect(await recordOf(dry)).toMatchObject({ warnings: [warning('would replace')] });
    expect(await recordOf(deploy)).toMatchObject({ warnings: [warning('replaces')] });
  });

  test('leave the table to the one that still has it, which never expires (RETAIN-4)', async () => {
    const first = await world.deploy('leaving', {});
    const second = await besides(first, 'staying');
    const { environmentId, repositoryId } = first;
    const [namespaceId, id] = [world.newId(), world.newId()];
    const at = { created_at: world.now, updated_at: world.now };
    const namespace = { id: namespaceId, environment_id: environmentId, path: 'a', path_key: 'a' };
    await world.prisma.namespace.create({ data: { ...namespace, created_at: world.now } });
    const table = { id, environment_id: environmentId, namespace_id: namespaceId, name: 't', name_key: 't' };
    const built = { kind: 'managed', columns: [], built_by_repository: repositoryId, ...at };
    await world.prisma.table.create({ data: { ...table, ...built } });
    const builder = async () => (await world.prisma.table.findUniqueOrThrow({ where: { id } })).built_by_repository;
    await finishSucceeded(...(await ready(second, [])), null);
    expect(await builder()).toBe(repositoryId);
    const [work, checked] = await ready(first, []);
    await finishSucceeded(work, { ...checked, assets: [], project: { ...checked.project, assets: [] } }, null);
    expect(await builder()).toBe(second.repositoryId);
    await finishSucceeded(...(await ready(first, [])), null);
    const deployment = (await findDeployment(world.prisma, { environmentId, repository: 'staying' }))!;
    await removeDeployment(world.prisma, { deployment, by: first.account, now: world.now });
    expect(await builder()).toBe(repositoryId);
  });
});
