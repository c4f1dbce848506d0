import { readFileSync } from 'node:fs';

const file = new URL('../../../../../CONTRIBUTING.md', import.meta.url);

/** The files of a recipe in CONTRIBUTING.md, as its table names them: with placeholders such as `<feature>`. */
export function recipeFiles(heading: string): string[] {
  const [, section] = readFileSync(file, 'utf8').split(`\n### ${heading}\n`);
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no recipe "${heading}".`);
  const [recipe = ''] = section.split(/\n#+ /);
  return [...recipe.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);
}

/** The row of the table that a file belongs to, or undefined. If several match, it is the one with the fewest placeholders. */
export function rowOf(rows: readonly string[], path: string): string | undefined {
  const placeholders = (row: string) => row.split('<').length;
  return rows.filter((row) => pattern(row).test(path)).sort((a, b) => placeholders(a) - placeholders(b))[0];
}

function pattern(row: string): RegExp {
  const parts = row.split(/<[^<>]+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
