import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMAGE_PATH, type Rendered, renderMarkdown } from './render.ts';

export interface Page extends Rendered {
  /** Relative to `/docs/`, such as `guide/queries`; empty for the first page. */
  path: string;
}

/**
 * The navigation's parts in reading order; within a part, pages follow the order of the links in the folder's README.
 * Decisions are linked from their index page only.
 */
const PARTS = [
  { folder: 'guide', title: 'Guide' },
  { folder: 'operations', title: 'Operations' },
  { folder: 'reference', title: 'Reference' },
] as const;

export interface Part {
  title: string;
  pages: Page[];
}

/** Every page, read and rendered once. Only the paths in here are ever served. */
export interface Guides {
  byPath: ReadonlyMap<string, Page>;
  parts: readonly Part[];
  /** Files of pictures by their path below `/docs/`. */
  images: ReadonlyMap<string, string>;
}

/**
 * The folder of guides: `docs` in the workspace; a published `@svc/api` has a copy beside `dist`, which its `prepack`
 * script makes (scripts/copy-docs.mjs).
 */
function docsFolder(): string {
  const packageRoot = new URL('../../', import.meta.url);
  const inWorkspace = existsSync(new URL('../../pnpm-workspace.yaml', packageRoot));
  return fileURLToPath(inWorkspace ? new URL('../../docs', packageRoot) : new URL('docs', packageRoot));
}

const pathOf = (file: string) => file.replace(/\.md$/, '').replace(/(^|\/)README$/, '');

/** Rank of a page's part in the navigation; top-level pages and decisions come after the parts. */
export function positionOf({ path }: Pick<Page, 'path'>): number {
  const found = PARTS.findIndex(({ folder }) => path.startsWith(`${folder}/`));
  return found === -1 ? PARTS.length : found;
}

/** The paths of the pages in the order in which a text links to them. */
function linkedPaths(readme: string): string[] {
  return [...readme.matchAll(/\]\(([\w./-]{1,200})\.md\)/g)].map(([, path]) => path!);
}

function byOrderOf(linked: readonly string[]): (a: Page, b: Page) => number {
  const rank = ({ path }: Page) => (linked.includes(path) ? linked.indexOf(path) : linked.length);
  return (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
}

export function readGuides(): Guides {
  const folder = docsFolder();
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.map((file) => file.replaceAll('\\', '/'));
  const readme = join(folder, 'README.md');
  const linked = existsSync(readme) ? linkedPaths(readFileSync(readme, 'utf8')) : [];
  const pages = files
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ path: pathOf(file), ...renderMarkdown(readFileSync(join(folder, file), 'utf8'), file) }))
    .sort(byOrderOf(linked));
  const top = pages.filter(({ path }) => path !== '' && !path.includes('/'));
  const parts = PARTS.map(({ folder: name, title }) => ({
    title,
    pages: pages.filter(({ path }) => path.startsWith(`${name}/`)),
  }));
  const described = [...parts, { title: 'More', pages: top }].filter((part) => part.pages.length > 0);
  const images = new Map(files.filter((file) => IMAGE_PATH.test(file)).map((file) => [file, join(folder, file)]));
  return { byPath: new Map(pages.map((page) => [page.path, page])), parts: described, images };
}
