import { string } from '@oclif/core/flags';
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

export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export const identifierFlag = (form: string) =>
  string({
    description: `required columns that together identify a row, the default key of merges (${form})`,
    helpValue: 'NAME,NAME',
  });

export const identifierOption = ({ 'identifier-fields': names }: { 'identifier-fields': string | undefined }) =>
  names === undefined ? {} : { identifier_fields: commaSeparated(names) };
