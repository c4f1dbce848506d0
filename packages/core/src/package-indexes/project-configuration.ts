import { comparableUrl, withoutUser } from './index-url.ts';
import { isTable, type LockFailure, readToml, tables } from './lock.ts';
import type { LockInput } from './lock-input.ts';
import { normalName } from './python-requirement.ts';
import { storedUrlFailure } from './stored-index.ts';

type Table = Readonly<Record<string, unknown>>;

/** The settings of one file. */
interface Configuration {
  readonly file: string;
  /** Prefix of the keys in messages: `tool.uv.` in pyproject.toml. */
  readonly prefix: string;
  readonly settings: Table;
  /** Tables that may assign packages to its indexes. */
  readonly sources: readonly Table[];
}

type ReportFailure = (message: string, remedy: string) => void;

/**
 * Validates the configuration beside a lock (LOCK-6). `used` holds the packages that the lock takes from each
 * registered index, by the index's name.
 */
export function verifyConfiguration(input: LockInput, used: ReadonlyMap<string, readonly string[]>): LockFailure[] {
  const problems: LockFailure[] = [];
  for (const configuration of readConfigurations(input, problems)) {
    const { file, prefix, settings } = configuration;
    const report: ReportFailure = (message, remedy) => problems.push({ file, line: null, message, remedy });
    const declared = settings['index'];
    if (declared !== undefined && !(Array.isArray(declared) && declared.every(isTable))) {
      report(`${prefix}index is not a list of tables and cannot be checked`, `write it as [[${prefix}index]]`);
    }
    for (const index of tables(declared)) verifyIndexTable(index, configuration, input, used, report);
    verifyIndexUrls(configuration, input, report);
  }
  return problems;
}

function verifyIndexUrls({ prefix, settings }: Configuration, input: LockInput, report: ReportFailure): void {
  const pip = tableOf(settings, 'pip');
  for (const [table, where] of [
    [settings, prefix],
    [pip, `${prefix}pip.`],
  ] as const) {
    for (const key of ['index-url', 'extra-index-url', 'find-links']) {
      for (const url of [table[key]].flat()) {
        if (typeof url !== 'string') {
          if (url !== undefined)
            report(`${where}${key} is not a string and cannot be checked`, 'write the URL as a string');
          continue;
        }
        const registeredIndex = findRegistered(url, input);
        if (registeredIndex === null) continue;
        const remedy = `declare it as [[${prefix}index]] with explicit = true and name its packages under sources`;
        report(`${where}${key} names the registered index ${registeredIndex.name}`, remedy);
      }
    }
  }
}

/**
 * The configuration files beside the lock and, if they contain no settings of uv, those of the nearest folder around the
 * project that has some: uv looks for them there. Of a folder, both files are validated: with a `uv.toml`, uv ignores
 * the indexes in pyproject.toml, but deleting that file must not change which rules hold. uv reads sources from
 * pyproject.toml only, for the indexes of both.
 */
function readConfigurations(input: LockInput, problems: LockFailure[]): Configuration[] {
  const own = readFolder('', input, [], problems);
  if (own.configured) return own.files;
  for (const { folder, ...texts } of input.outer ?? []) {
    const found = readFolder(`${folder}/`, texts, own.sources, problems);
    if (found.configured) return [...own.files, ...found.files];
  }
  return own.files;
}

/** @param projectSources further tables that may assign packages to the indexes of this folder */
function readFolder(
  folder: string,
  texts: Pick<LockInput, 'pyprojectText' | 'uvTomlText'>,
  projectSources: readonly Table[],
  problems: LockFailure[],
): { files: Configuration[]; sources: readonly Table[]; configured: boolean } {
  const file = `${folder}pyproject.toml`;
  const separateFile = `${folder}uv.toml`;
  const project = texts.pyprojectText === null ? {} : readToml(texts.pyprojectText, file, problems);
  const separate = texts.uvTomlText === null ? {} : readToml(texts.uvTomlText, separateFile, problems);
  const settings = tableOf(tableOf(project, 'tool'), 'uv');
  const sources = [tableOf(settings, 'sources'), ...projectSources];
  const files = [
    { file, prefix: 'tool.uv.', settings, sources },
    { file: separateFile, prefix: '', settings: separate ?? {}, sources: [tableOf(separate, 'sources'), ...sources] },
  ];
  const configured = texts.uvTomlText !== null || tableOf(project, 'tool')['uv'] !== undefined;
  return { files, sources, configured };
}

function tableOf(table: Table | null, key: string): Table {
  const value = table?.[key];
  return isTable(value) ? value : {};
}

function findRegistered(url: string, input: LockInput): LockInput['registered'][number] | null {
  const wanted = comparableUrl(withoutUser(url.trim()));
  return input.registered.find((index) => comparableUrl(index.url) === wanted) ?? null;
}

function verifyIndexTable(
  index: Table,
  configuration: Configuration,
  input: LockInput,
  used: ReadonlyMap<string, readonly string[]>,
  report: ReportFailure,
): void {
  const { prefix } = configuration;
  const url = index['url'];
  const name = typeof index['name'] === 'string' ? index['name'] : null;
  if (typeof url !== 'string') {
    report(
      `an index table has no url string and cannot be checked`,
      `write url = "https://…" under [[${prefix}index]]`,
    );
    return;
  }
  const registeredIndex = findRegistered(url, input);
  if (registeredIndex !== null && index['explicit'] !== true) {
    const message = `the index table ${name ?? withoutUser(url)} is the registered index ${registeredIndex.name} without explicit = true`;
    report(message, 'add explicit = true, and name the packages taken from it under sources');
  } else if (registeredIndex !== null) {
    for (const found of used.get(registeredIndex.name) ?? []) {
      if (configuration.sources.some((sources) => usesIndex(sources, found, name))) continue;
      const line = name === null ? 'name the index table and add' : 'add';
      const entry = `${found} = { index = "${name ?? registeredIndex.name}" }`;
      report(
        `the package ${found} is taken from the registered index ${registeredIndex.name} but not named under sources`,
        `${line} ${entry} to [tool.uv.sources]`,
      );
    }
  }
  const sameName = input.registered.find((registered) => registered.name === name);
  const local = !/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^\s*file:/i.test(url);
  if (input.phase === 'deploy' && sameName !== undefined && registeredIndex?.name !== sameName.name && !local) {
    const message = `the index table ${name} has the name of a registered index and another URL, ${withoutUser(url)}`;
    const advice = storedUrlFailure(sameName)?.detail ?? `write url = "${sameName.url}"`;
    report(message, `${advice}, or rename the table`);
  }
}

function usesIndex(sources: Table, found: string, index: string | null): boolean {
  const key = Object.keys(sources).find((candidate) => normalName(candidate) === normalName(found));
  const entries = key === undefined ? [] : [sources[key]].flat().filter(isTable);
  return entries.some((entry) => index !== null && entry['index'] === index);
}
