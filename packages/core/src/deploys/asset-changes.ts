import { type Asset, assetKey } from './asset.ts';

export interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

/** How the columns of a table would change. */
export interface ColumnChanges {
  readonly added: readonly NamedColumn[];
  readonly removed: readonly NamedColumn[];
  readonly changed: readonly (NamedColumn & { readonly previous_type: string })[];
}

export interface AssetChanges {
  readonly added: readonly AddedAsset[];
  readonly removed: readonly Pick<Asset, 'name' | 'kind'>[];
  readonly changed: readonly ChangedAsset[];
}

export interface AddedAsset extends Pick<Asset, 'name' | 'kind'> {
  /** The columns that it would return; null if they aren't known before a build. */
  readonly columns: readonly NamedColumn[] | null;
}

export interface ChangedAsset extends Pick<Asset, 'name' | 'kind'> {
  /** `sql`, `code`, `data` and what else differs; the settings of its header by name. */
  readonly changes: readonly string[];
  /** Null if the columns aren't known. */
  readonly columns: ColumnChanges | null;
}

export interface ComparedAssets {
  /** The assets of the active version; none if nothing is deployed. */
  readonly active: readonly Asset[];
  readonly next: readonly Asset[];
  /** What differs in the files that an asset's settings don't contain. */
  readonly changedFiles: (asset: Asset) => readonly string[];
  /** The columns that an asset would return, and those of its table; null if unknown. */
  readonly columns: (asset: Asset) => {
    readonly next: readonly NamedColumn[] | null;
    readonly table: readonly NamedColumn[] | null;
  };
}

/** What a deploy of these assets would change (DEPLOY-22). An asset is the same if its name is, in any letter case. */
export function compareAssets({ active, next, changedFiles, columns }: ComparedAssets): AssetChanges {
  const before = new Map(active.map((asset) => [assetKey(asset.name), asset]));
  const after = new Set(next.map(({ name }) => assetKey(name)));
  const added: AddedAsset[] = [];
  const changed: ChangedAsset[] = [];
  for (const asset of [...next].sort(byName)) {
    const { name, kind } = asset;
    const known = columns(asset);
    const old = before.get(assetKey(name));
    if (old === undefined) {
      added.push({ name, kind, columns: known.next });
      continue;
    }
    const diff = known.next === null || known.table === null ? null : compareColumns(known.table, known.next);
    const changes = [...changedParts(old, asset), ...changedFiles(asset)];
    if (changes.length > 0 || (diff !== null && !isEmpty(diff))) changed.push({ name, kind, changes, columns: diff });
  }
  const removed = [...active]
    .sort(byName)
    .filter(({ name }) => !after.has(assetKey(name)))
    .map(({ name, kind }) => ({ name, kind }));
  return { added, removed, changed };
}

/** Columns are the same if their names are. */
export function compareColumns(from: readonly NamedColumn[], to: readonly NamedColumn[]): ColumnChanges {
  const old = new Map(from.map(({ name, type }) => [name, type]));
  const names = new Set(to.map(({ name }) => name));
  const plain = ({ name, type }: NamedColumn) => ({ name, type });
  return {
    added: to.filter(({ name }) => !old.has(name)).map(plain),
    removed: from.filter(({ name }) => !names.has(name)).map(plain),
    changed: to.flatMap(({ name, type }) => {
      const previous = old.get(name);
      return previous === undefined || previous === type ? [] : [{ name, type, previous_type: previous }];
    }),
  };
}

const isEmpty = ({ added, removed, changed }: ColumnChanges): boolean =>
  added.length + removed.length + changed.length === 0;

const byName = (a: Asset, b: Asset): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * Parts of an asset that its settings don't include: where it is, its source, which is compared separately, and what follows from its
 * checks.
 */
const NOT_SETTINGS: readonly string[] = ['name', 'namespace', 'table', 'file', 'line', 'source', 'checkReads'];

/** What differs if the sources of an asset do. */
const CHANGED_SOURCE = { sql: 'sql', python: 'function', csv: 'data' } as const;

/** Every other part is a setting, so a new one is compared without a change here. */
function changedParts(old: Asset, asset: Asset): string[] {
  const changes: string[] = [];
  if (old.source.language !== asset.source.language) changes.push('language');
  else if (!isSame(old.source, asset.source)) changes.push(CHANGED_SOURCE[asset.source.language]);
  const keys = new Set([...Object.keys(asset), ...Object.keys(old)]);
  const value = (of: Asset, key: string) => (of as unknown as Record<string, unknown>)[key];
  const settings = [...keys].filter(
    (key) => !NOT_SETTINGS.includes(key) && !isSame(value(old, key), value(asset, key)),
  );
  return [...changes, ...settings.map(settingName).sort()];
}

/** `dependsOn` is `depends_on` in the header. */
const settingName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(normal(a)) === JSON.stringify(normal(b));

/** Sorts keys, which the database doesn't keep in order. A setting that isn't set equals one that an older version didn't have. */
function normal(value: unknown): unknown {
  if (value === null || value === undefined || value === false) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normal);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, normal(inner)] as const)
    .filter(([, inner]) => inner !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
