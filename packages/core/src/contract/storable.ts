/** Whether a text can be stored: NUL and lone surrogates can be nowhere. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
