import { isTable, LOCK_FILE, type LockFailure, readToml, tables } from './lock.ts';
import { pythonRange } from './python-range.ts';
import { normalName, normalSpecifier, parseRequirement, requirementName } from './python-requirement.ts';

type Table = Readonly<Record<string, unknown>>;

const PYPROJECT = 'pyproject.toml';
/** Maximum number of differences in a message. */
const MAX_DIFFERENCES = 3;

/**
 * A problem if a lock doesn't match the requirements of `pyproject.toml` (DEPLOY-8): the Python environment would lack
 * what the project needs. File times can't decide this, because bundles and git don't preserve them. Of markers, only
 * their absence is compared: uv rewrites them.
 */
export function outdatedLock(lockText: string, pyprojectText: string | null): LockFailure[] {
  const parseFailures: LockFailure[] = [];
  const lock = readToml(lockText, LOCK_FILE, parseFailures);
  const pyproject = pyprojectText === null ? null : readToml(pyprojectText, PYPROJECT, parseFailures);
  // The validation of the lock reports broken files.
  if (lock === null || pyproject === null) return [];
  const differences = [...pythonDifference(lock, pyproject), ...requirementDifferences(lock, pyproject)];
  if (differences.length === 0) return [];
  const more = differences.length > MAX_DIFFERENCES ? [`and ${differences.length - MAX_DIFFERENCES} more`] : [];
  const message = `it is older than ${PYPROJECT}: ${[...differences.slice(0, MAX_DIFFERENCES), ...more].join(', ')}`;
  return [{ file: LOCK_FILE, line: null, message, remedy: 'run uv lock in the project and commit uv.lock' }];
}

function pythonDifference(lock: Table, pyproject: Table): string[] {
  const [declared, locked] = [tableOf(pyproject, 'project')['requires-python'], lock['requires-python']];
  if (typeof declared !== 'string' || typeof locked !== 'string') return [];
  const [one, other] = [pythonRange(declared), pythonRange(locked)];
  return one === null || other === null || one === other ? [] : [`requires-python is ${declared}, not ${locked}`];
}

function requirementDifferences(lock: Table, pyproject: Table): string[] {
  const declared = declaredRequirements(pyproject);
  const locked = lockedRequirements(lock);
  if (declared === null || locked === null) return [];
  const [missing, extra] = [declared.without(locked), locked.without(declared)];
  return [
    ...missing.map((text) => `${text} is not locked`),
    ...extra.map((text) => `${text} is no longer required`),
    ...declared.conditionalIn(locked).map(([text, marker]) => `${text} is locked only where ${marker}`),
  ];
}

interface Entry {
  readonly name: string;
  readonly section: string;
  readonly specifiers: Set<string | null>;
  /** The conditions under which it is required: each a marker, or null for always. */
  readonly markers: Set<string | null>;
}

/** Specifiers by package name and context, such as ` (extra plot)`; null for any version. */
class Requirements {
  private readonly listed = new Map<string, Entry>();

  add(name: string, specifier: string | null, section: string, marker: string | null): void {
    const entry = this.listed.get(name + section) ?? { name, section, specifiers: new Set(), markers: new Set() };
    entry.specifiers.add(specifier);
    entry.markers.add(marker);
    this.listed.set(name + section, entry);
  }

  /** The requirements without a marker that have one in each entry of `other`, with one of these markers. */
  conditionalIn(other: Requirements): [string, string][] {
    return [...this.listed].flatMap(([key, { name, section, markers }]): [string, string][] => {
      const known = other.listed.get(key)?.markers;
      if (!markers.has(null) || known === undefined || known.has(null)) return [];
      return [[name + section, String([...known][0])]];
    });
  }

  /** The requirements that `other` lacks, as texts. */
  without(other: Requirements): string[] {
    return [...this.listed].flatMap(([key, { name, section, specifiers }]) => {
      const known = other.listed.get(key)?.specifiers ?? new Set();
      const isSatisfied = (specifier: string | null) =>
        known.has(specifier) || known.has(null) || (specifier === null && known.size > 0);
      return [...specifiers]
        .filter((specifier) => !isSatisfied(specifier))
        .map((specifier) => name + (specifier ?? '') + section);
    });
  }
}

/** Null if a build step computes the requirements, or if they can't be parsed. */
function declaredRequirements(pyproject: Table): Requirements | null {
  const project = pyproject['project'];
  if (!isTable(project)) return null;
  const dynamic = project['dynamic'];
  if (Array.isArray(dynamic) && dynamic.some((key) => /dependencies$/.test(String(key)))) return null;
  const found = new Requirements();
  const add = (listed: unknown, section: string): boolean =>
    texts(listed).every((text) => {
      const requirement = parseRequirement(text);
      if (requirement !== null) found.add(requirement.name, requirement.specifier, section, requirement.marker);
      return requirement !== null;
    });
  let readable = add(project['dependencies'], '');
  for (const [extra, listed] of Object.entries(tableOf(project, 'optional-dependencies'))) {
    readable &&= add(listed, ` (extra ${normalName(extra)})`);
  }
  for (const [group, listed] of groupsOf(pyproject)) readable &&= add(listed, ` (group ${group})`);
  return readable ? found : null;
}

/** Dependency groups, with the groups that they include resolved. */
function groupsOf(pyproject: Table): Map<string, string[]> {
  const groups = new Map<string, unknown[]>();
  const addAll = (name: string, listed: unknown): void => {
    groups.set(name, [...(groups.get(name) ?? []), ...(Array.isArray(listed) ? listed : [])]);
  };
  for (const [name, listed] of Object.entries(tableOf(pyproject, 'dependency-groups')))
    addAll(normalName(name), listed);
  const old = tableOf(tableOf(pyproject, 'tool'), 'uv')['dev-dependencies'];
  if (old !== undefined) addAll('dev', old);
  const fullNames = (name: string, within: readonly string[]): string[] =>
    (groups.get(name) ?? []).flatMap((entry) => {
      if (typeof entry === 'string') return [entry];
      const included = isTable(entry) && typeof entry['include-group'] === 'string' ? entry['include-group'] : null;
      if (included === null || within.includes(normalName(included))) return [];
      return fullNames(normalName(included), [...within, name]);
    });
  return new Map([...groups.keys()].map((name) => [name, fullNames(name, [name])]));
}

/** Null if the lock doesn't record its requirements; old versions of uv didn't. */
function lockedRequirements(lock: Table): Requirements | null {
  const roots = tables(lock['package'] ?? lock['distribution']).filter(({ source }) => isRoot(source));
  if (roots.length > 1) return null;
  const [root = {}] = roots;
  const metadata = tableOf(root, 'metadata');
  const silent = metadata['requires-dist'] === undefined && metadata['requires-dev'] === undefined;
  if (silent && ['dependencies', 'optional-dependencies', 'dev-dependencies'].some((key) => root[key] !== undefined)) {
    return null;
  }
  const found = new Requirements();
  const add = (listed: unknown, context: (entry: Table) => { section: string; marker: string | null }): void => {
    for (const entry of tables(listed)) {
      const name = requirementName(String(entry['name']), texts(entry['extras']));
      const hasOtherSource = ['url', 'git', 'path', 'directory', 'editable', 'virtual'].some(
        (key) => entry[key] !== undefined,
      );
      const { section, marker } = context(entry);
      const specifier = hasOtherSource ? null : normalSpecifier(String(entry['specifier'] ?? ''));
      // uv splits a requirement by the markers of its sources.
      found.add(name, specifier, section, hasOtherSource || entry['index'] !== undefined ? null : marker);
    }
  };
  add(metadata['requires-dist'], ({ marker }) => {
    const text = typeof marker === 'string' ? marker : null;
    const extra = /\bextra == '([^']{1,255})'/.exec(text ?? '');
    if (extra === null) return { section: '', marker: text };
    return { section: ` (extra ${normalName(extra[1]!)})`, marker: text === extra[0] ? null : text };
  });
  for (const [group, listed] of Object.entries(tableOf(metadata, 'requires-dev'))) {
    // uv adds a group's own range of Python versions to the markers.
    add(listed, () => ({ section: ` (group ${normalName(group)})`, marker: null }));
  }
  return found;
}

function isRoot(source: unknown): boolean {
  return isTable(source) && ['virtual', 'editable', 'directory'].some((key) => source[key] === '.');
}

const tableOf = (table: Table, key: string): Table => (isTable(table[key]) ? (table[key] as Table) : {});

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
