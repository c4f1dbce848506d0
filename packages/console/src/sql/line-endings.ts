/** A text as the editor has it, which ends lines with `\n` only. */
export const inEditor = (text: string): string => text.replace(/\r\n?/g, '\n');
