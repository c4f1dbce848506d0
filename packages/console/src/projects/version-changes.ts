import type { Deploy, ProjectVersion } from '@svc/sdk/browser';

/** What differs between two states of a project, as the record of a deploy has it. */
export type ProjectChanges = Pick<Deploy, 'assets' | 'jobs'>;

type Version = Pick<ProjectVersion, 'assets' | 'jobs'>;
type Asset = ProjectVersion['assets'][number];

const SETTINGS = ['kind', 'language', 'description', 'depends_on', 'tags'] as const;

/** Compares what the records of two versions contain. They contain neither SQL and code nor the settings of jobs. */
export function compareVersions(before: Version, after: Version) {
  const old = new Map(before.assets.map((asset) => [asset.name, asset]));
  const now = new Set(after.assets.map(({ name }) => name));
  const common = after.assets.flatMap((asset) => {
    const previous = old.get(asset.name);
    return previous === undefined ? [] : [[previous, asset] as const];
  });
  const changes = {
    assets: {
      added: after.assets.filter(({ name }) => !old.has(name)).map(({ name, kind }) => ({ name, kind, columns: null })),
      removed: before.assets.filter(({ name }) => !now.has(name)).map(({ name, kind }) => ({ name, kind })),
      changed: common
        .map(([previous, asset]) => ({
          name: asset.name,
          kind: asset.kind,
          changes: settingsThatDiffer(previous, asset),
          columns: null,
        }))
        .filter(({ changes }) => changes.length > 0),
    },
    jobs: {
      added: after.jobs.filter((job) => !before.jobs.includes(job)),
      removed: before.jobs.filter((job) => !after.jobs.includes(job)),
      changed: [],
    },
  };
  return changes satisfies ProjectChanges;
}

const settingsThatDiffer = (before: Asset, after: Asset): string[] =>
  SETTINGS.filter((setting) => JSON.stringify(before[setting]) !== JSON.stringify(after[setting])).map((setting) =>
    setting.replace('_', ' '),
  );
