import { usage } from '../exit.ts';

export interface NewColumn {
  name: string;
  type: string;
  nullable: boolean;
}

/** `id:long`, `id:long!` (never null). @throws Failed for what is no column */
export function columnsOf(texts: readonly string[]): NewColumn[] {
  return texts.map((text) => {
    const at = text.indexOf(':');
    const type = text
      .slice(at + 1)
      .replace(/!$/, '')
      .trim();
    if (at <= 0 || type === '') throw usage(`--column "${text}": write NAME:TYPE, such as id:long.`);
    return { name: text.slice(0, at), type, nullable: !text.endsWith('!') };
  });
}
