import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIOME = fileURLToPath(new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url));

/** A Markdown table. Cells may hold Markdown; a bar is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A page that "npm run generate" writes, formatted as lint wants it; `parts` are its paragraphs. */
export function page(title, ...parts) {
  const notice = '<!-- Written by "npm run generate". Do not edit. -->';
  const text = `${[notice, `# ${title}`, ...parts].join('\n\n')}\n`;
  return execFileSync(process.execPath, [BIOME, 'format', '--stdin-file-path=page.md'], {
    input: text,
    encoding: 'utf8',
  });
}

/**
 * What people are told about each name of a closed list of core.
 * @throws naming the names without a text, and the texts without a name.
 */
export function textsFor(names, texts, file) {
  const missing = names.filter((name) => !texts[name]);
  const stale = Object.keys(texts).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${file}: say something about ${missing.join(', ')}`);
  if (stale.length > 0) throw new Error(`${file}: ${stale.join(', ')} no longer exists, take it out`);
  return texts;
}
