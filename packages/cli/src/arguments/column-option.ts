import { usageError } from '../cli-error.ts';

export interface NewColumn {
  name: string;
  type: string;
  nullable: boolean;
}

/** Parses `id:long` and `id:long!` (required). @throws CliError if a text is not a column */
export function parseColumns(texts: readonly string[]): NewColumn[] {
  return texts.map((text) => {
    const at = text.indexOf(':');
    const type = text
      .slice(at + 1)
      .replace(/!$/, '')
      .trim();
    if (at <= 0 || type === '')
      throw usageError(`Invalid column "${text}" for --column. Use NAME:TYPE, such as id:long.`);
    return { name: text.slice(0, at), type, nullable: !text.endsWith('!') };
  });
}
