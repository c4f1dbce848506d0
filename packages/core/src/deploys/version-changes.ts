import { type Asset, assetKey } from './asset.ts';
import { type AssetChanges, compareAssets } from './asset-changes.ts';
import { type CodeFile, changedFiles, codeChanges, type VersionCode } from './code-changes.ts';
import { diffJobs, type JobChanges, type ResolvedJob } from './jobs-of-environment.ts';

export interface ComparedVersion extends Omit<VersionCode, 'code'> {
  readonly jobs: readonly ResolvedJob[];
  /** Null if its Python files aren't known. */
  readonly code: readonly CodeFile[] | null;
}

/** The text of an SQL asset, or of a Python file, in two versions. */
export interface SourceChange {
  readonly file: string;
  /** The assets that the file declares; none for other modules. */
  readonly assets: readonly string[];
  /** Null if the version doesn't have it. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ComparisonResult {
  readonly assets: AssetChanges;
  readonly jobs: JobChanges;
  readonly sources: readonly SourceChange[];
  /** How many sources differ without being listed. */
  readonly omitted_sources: number;
}

/** Maximum characters of the texts in one comparison. */
const MAX_SOURCE_CHARACTERS = 1024 * 1024;

const NOTHING: ComparedVersion = { assets: [], jobs: [], python: null, lockHash: null, code: [] };

/**
 * What differs between two versions of a project (DEPLOY-26). `before` is null for the first version.
 *
 * @param mayRead whether the caller can read what these assets are built from
 */
export function compareVersions(
  before: ComparedVersion | null,
  after: ComparedVersion,
  mayRead: (assets: readonly string[]) => boolean,
): ComparisonResult {
  const old = before ?? NOTHING;
  // Python files are compared only if both versions have them.
  const known = old.code !== null && after.code !== null;
  const [oldCode, code] = known ? [old.code, after.code] : [[], []];
  const assets = compareAssets({
    active: old.assets,
    next: after.assets,
    changedFiles: codeChanges({ ...old, code: oldCode }, { ...after, code }),
    columns: () => ({ next: null, table: null }),
  });
  const changed = [
    ...sqlSources(old.assets, after.assets),
    ...codeSources({ ...old, code: oldCode }, { ...after, code }),
  ];
  const sources: SourceChange[] = [];
  let characters = 0;
  for (const { source, complete } of changed) {
    characters += (source.before?.length ?? 0) + (source.after?.length ?? 0);
    if (complete && characters <= MAX_SOURCE_CHARACTERS && mayRead(source.assets)) sources.push(source);
  }
  return { assets, jobs: diffJobs(old.jobs, after.jobs), sources, omitted_sources: changed.length - sources.length };
}

interface FoundSource {
  readonly source: SourceChange;
  /** False if a text is too large to be stored. */
  readonly complete: boolean;
}

const sqlOf = (asset: Asset | undefined): string | null => (asset?.source.language === 'sql' ? asset.source.sql : null);

/** The SELECTs that differ, by the name of their asset. */
function sqlSources(before: readonly Asset[], after: readonly Asset[]): FoundSource[] {
  const [old, current] = [before, after].map((assets) => new Map(assets.map((asset) => [assetKey(asset.name), asset])));
  return [...new Set([...old!.keys(), ...current!.keys()])].sort().flatMap((key) => {
    const [from, to] = [old!.get(key), current!.get(key)];
    const [left, right] = [sqlOf(from), sqlOf(to)];
    const { name, file } = (right === null ? from : to) ?? to!;
    return left === right ? [] : [{ source: { file, assets: [name], before: left, after: right }, complete: true }];
  });
}

/** The Python files that differ. */
function codeSources(before: VersionCode, after: VersionCode): FoundSource[] {
  return changedFiles(before.code, after.code).map((file) => {
    const [from, to] = [before, after].map(({ code }) => code.find((one) => one.file === file));
    const declared = [...before.assets, ...after.assets].filter((asset) => asset.file === file);
    const source = {
      file,
      assets: [...new Set(declared.map(({ name }) => name))].sort(),
      before: from?.text ?? null,
      after: to?.text ?? null,
    };
    return { source, complete: from?.text !== null && to?.text !== null };
  });
}
