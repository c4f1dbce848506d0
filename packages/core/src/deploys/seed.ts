import { COLUMN_TYPE_SYNTAX, normalizeColumnType } from '../column-types/index.ts';
import { columnNamesFault } from '../tables/column-names.ts';
import { type Asset, type SeedColumn, splitAssetName } from './asset.ts';
import { readChecks, readTextMap } from './asset-settings.ts';
import { checkAsset } from './check-asset.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';
import { type Entry, openYaml, type Reader, readMap, readText, readTextList, report } from './yaml-reader.ts';

/** Folder of a project that contains its seeds: CSV files that become tables (DEPLOY-23). */
export const SEED_FOLDER = 'seeds';

const SETTING_KEYS = ['table', 'description', 'columns', 'types', 'tags', 'checks'];

/** The name of the YAML file with a seed's settings, beside its CSV file. */
export const settingsFileOf = (file: string): string => file.replace(/\.csv$/, '.yaml');

/** The name of the CSV file that a file with settings belongs to. */
export const seedFileOf = (settings: string): string => settings.replace(/\.yaml$/, '.csv');

/** A seed's CSV file as the deploy found it. */
export interface SeedFile {
  readonly file: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** The columns of its header, with the types that fit all rows. */
  readonly columns: readonly SeedColumn[];
  /** The text of its settings; null without such a file. */
  readonly settings: string | null;
}

/** The asset that a seed builds; null if its settings have problems. */
export function parseSeed({ file, sha256, columns, settings }: SeedFile): {
  readonly asset: Asset | null;
  readonly problems: readonly ProjectDiagnostic[];
} {
  const declaredIn = settings === null ? file : settingsFileOf(file);
  const { reader, root } = openYaml(settings ?? '', declaredIn);
  if (root === null) return { asset: null, problems: reader.problems };
  const keys = readMap(reader, root, SETTING_KEYS);
  const name = readText(reader, keys.get('table')) ?? tableOf(file);
  const names = splitAssetName(name) ?? { namespace: '', table: name };
  const descriptions = readTextMap(reader, keys.get('columns'));
  reportUnknown(reader, keys.get('columns'), Object.keys(descriptions), columns);
  const asset: Asset = {
    name,
    ...names,
    kind: 'table',
    description: readText(reader, keys.get('description')),
    columns: descriptions,
    dependsOn: [],
    tags: readTextList(reader, keys.get('tags')),
    mode: 'replace',
    watermark: null,
    checks: readChecks(reader, keys.get('checks'), name),
    file: declaredIn,
    line: 1,
    source: { language: 'csv', file, sha256, columns: typed(reader, keys.get('types'), columns) },
  };
  const fault = columnNamesFault(columns);
  const unnamed = fault === null ? [] : [{ file, line: 1, message: fault, remedy: 'rename the column' }];
  const problems = [...reader.problems, ...unnamed, ...checkAsset(asset)];
  return { asset: problems.length > 0 ? null : asset, problems };
}

/** The path below `seeds/` with dots. */
const tableOf = (file: string): string =>
  file
    .slice(SEED_FOLDER.length + 1)
    .replace(/\.csv$/, '')
    .replaceAll('/', '.');

/** The columns with the types that the settings set for some of them. */
function typed(reader: Reader, entry: Entry | undefined, columns: readonly SeedColumn[]): SeedColumn[] {
  const types = new Map<string, string>();
  for (const [name, type] of Object.entries(readTextMap(reader, entry))) {
    const normal = normalizeColumnType(type);
    if (normal === null)
      report(reader, entry!, `types.${name}: ${JSON.stringify(type)} is not a column type`, COLUMN_TYPE_SYNTAX);
    types.set(name, normal ?? type);
  }
  reportUnknown(reader, entry, [...types.keys()], columns);
  return columns.map(({ name, type }) => ({ name, type: types.get(name) ?? type }));
}

function reportUnknown(
  reader: Reader,
  entry: Entry | undefined,
  names: readonly string[],
  columns: readonly SeedColumn[],
): void {
  const known = columns.map(({ name }) => name);
  for (const name of names.filter((one) => !known.includes(one))) {
    const remedy = `its columns are ${known.join(', ')}`;
    report(reader, entry!, `${entry!.path} names the column ${name}, which the CSV file doesn't have`, remedy);
  }
}
