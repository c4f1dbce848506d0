import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIOME = fileURLToPath(new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url));

/** A Markdown table. Cells may contain Markdown; bars are escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A generated page, formatted as lint requires; `parts` are its paragraphs. */
export function page(title, ...parts) {
  const notice = '<!-- Written by "npm run generate". Do not edit. -->';
  const text = `${[notice, `# ${title}`, ...parts].join('\n\n')}\n`;
  return execFileSync(process.execPath, [BIOME, 'format', '--stdin-file-path=page.md'], {
    input: text,
    encoding: 'utf8',
  });
}
