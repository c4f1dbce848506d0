import { parseManifest } from '@svc/core/deploys';
import { PROJECT_FILES } from '../generated/project-files.ts';

/** A file of a new project. */
export interface ProjectFile {
  /** Path in the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files of a new project, sorted by path. */
export function projectFiles(name: string, { python }: { python: boolean }): ProjectFile[] {
  const values = new Map([
    ['NAME_AS_TEXT', name],
    ['NAME_AS_YAML', yamlText(name)],
    ['NAME_AS_PACKAGE', packageName(name)],
  ]);
  // One pass, so that a placeholder in the name stays as it is.
  const fill = (text: string) => text.replace(/NAME_AS_[A-Z]+/g, (found) => values.get(found) ?? found);
  const files = { ...PROJECT_FILES.sql, ...(python ? PROJECT_FILES.python : {}) };
  return Object.keys(files)
    .sort()
    .map((path) => ({ path, text: fill(files[path]!) }));
}

/** The name as YAML, in quotes only if it needs them, such as `123` or `a: b`. */
function yamlText(name: string): string {
  return parseManifest(`name: ${name}\n`).manifest?.name === name ? name : JSON.stringify(name);
}

/** A valid name for a Python package, in the normal form that uv.lock contains. */
function packageName(name: string): string {
  const normal = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return normal === '' ? 'project' : normal;
}
