/** A requirement of `pyproject.toml` in normal form, so that it can be compared with a lock. */
export interface Requirement {
  /** `name[extra]` in normal form. */
  readonly name: string;
  /** Sorted clauses such as `>=1.0,<2`; null for a URL or a path instead of a version. */
  readonly specifier: string | null;
  /** As it is written; null for a requirement that always applies. */
  readonly marker: string | null;
}

/** Parses a requirement such as `Foo[bar] >= 1.0 ; python_version < "3.11"`; null if it is invalid. */
export function parseRequirement(text: string): Requirement | null {
  const head = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(text);
  if (head === null) return null;
  let rest = text.slice(head[0].length).trim();
  let extras: string[] = [];
  if (rest.startsWith('[')) {
    const end = rest.indexOf(']');
    if (end < 0) return null;
    extras = rest.slice(1, end).split(',');
    rest = rest.slice(end + 1).trim();
  }
  const name = requirementName(head[1]!, extras);
  // A URL can contain a semicolon; before a marker there is a space.
  const isUrl = rest.startsWith('@');
  const semicolon = isUrl ? rest.search(/\s;/) : rest.indexOf(';');
  const marker = semicolon < 0 ? null : rest.slice(semicolon + (isUrl ? 2 : 1)).trim();
  if (isUrl) return { name, specifier: null, marker };
  const versions = semicolon < 0 ? rest : rest.slice(0, semicolon);
  return { name, specifier: normalSpecifier(versions.replaceAll(/[()]/g, '')), marker };
}

/** Names compare without letter case; `-`, `_` and `.` are equivalent. */
export function normalName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-');
}

export function requirementName(name: string, extras: readonly string[]): string {
  const listed = extras
    .map(normalName)
    .filter((extra) => extra !== '')
    .sort();
  return normalName(name) + (listed.length === 0 ? '' : `[${listed.join(',')}]`);
}

/** Clauses sorted, without spaces, with normalized versions. */
export function normalSpecifier(text: string): string {
  const clauses = text
    .split(',')
    .map((clause) => clause.replaceAll(/\s/g, ''))
    .filter((clause) => clause !== '')
    .map((clause) => {
      const operator = /^[=!<>~]{0,3}/.exec(clause)![0];
      const version = clause.slice(operator.length);
      return operator + (operator === '===' ? version : normalVersion(version));
    });
  return [...new Set(clauses)].sort().join(',');
}

const PRE_RELEASES: readonly [RegExp, string][] = [
  [/[-_.]?(?:alpha|a)[-_.]?(\d)/, 'a$1'],
  [/[-_.]?(?:beta|b)[-_.]?(\d)/, 'b$1'],
  [/[-_.]?(?:preview|pre|rc|c)[-_.]?(\d)/, 'rc$1'],
  [/[-_.](?:post|rev|r)[-_.]?(\d)/, '.post$1'],
  [/[-_.]?dev[-_.]?(\d)/, '.dev$1'],
];

/** Maps the usual spellings of a version to one (PEP 440): `v1.0-RC1` is `1.0rc1`, `2024.02` is `2024.2`. */
function normalVersion(text: string): string {
  const normalized = text.toLowerCase().replace(/^v/, '');
  const withPreReleases = PRE_RELEASES.reduce((version, [pattern, form]) => version.replace(pattern, form), normalized);
  return withPreReleases
    .split(/([.!])/)
    .map((part) => part.replace(/^0+(?=\d)/, ''))
    .join('');
}
