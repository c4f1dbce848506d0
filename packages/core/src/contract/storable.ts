/** Whether the database can store a text, which must not contain NUL or lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
