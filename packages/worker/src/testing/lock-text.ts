import type { TestWheel } from './wheel.ts';

/** A package of a test's lock: its source and its wheel. */
export interface LockedPackage {
  readonly name: string;
  /** URL of the index. */
  readonly index: string;
  readonly wheel: TestWheel;
  /** Location of the file (default: `files/` next to the index's `simple`). */
  readonly url?: string;
}

export const pyprojectText = (names: readonly string[], more = ''): string =>
  `[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.10"\ndependencies = ${JSON.stringify(names)}\n\n[tool.uv]\npackage = false\n${more}`;

/** Builds a `uv.lock` of these packages. */
export function lockText(packages: readonly LockedPackage[]): string {
  const needed = packages.map(({ name }) => `{ name = "${name}" }`).join(', ');
  const head = `version = 1\nrequires-python = ">=3.10"\n\n[[package]]\nname = "app"\nversion = "0"\nsource = { virtual = "." }\ndependencies = [${needed}]\n\n[package.metadata]\nrequires-dist = [${needed}]\n`;
  const entries = packages.map(({ name, index, wheel, url }) => {
    const file = url ?? `${index.replace(/\/simple\/?$/, '')}/files/${wheel.file}`;
    return `\n[[package]]\nname = "${name}"\nversion = "${wheel.file.split('-')[1]}"\nsource = { registry = "${index}" }\nwheels = [{ url = "${file}", hash = "sha256:${wheel.hash}", size = ${wheel.bytes.length} }]\n`;
  });
  return head + entries.join('');
}
