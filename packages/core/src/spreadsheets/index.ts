/**
 * What spreadsheets take as the start of a formula, and what they skip before it: line breaks and tabs, a byte order mark
 * at the start of a file. With East Asian input methods, they also accept the full-width forms.
 */
const FORMULA = /^\ufeff?[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text so that no spreadsheet runs it as a formula: with `'` before it if it starts like one. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
