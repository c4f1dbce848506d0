/** Control characters, and those that change the direction or are invisible: they could disguise a name. */
const DISGUISES = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Parts of emoji: these join what is visible anyway. */
const JOINER = /(\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;
const PLACEHOLDER = '\u{f0000}';

/** A text of someone else as one line, with invisible characters written as `\u202e`. */
export function visible(text: string): string {
  return text
    .replace(JOINER, `$1${PLACEHOLDER}`)
    .replace(DISGUISES, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(PLACEHOLDER, '\u200d');
}

/** The same for a text of several lines. */
export const visibleLines = (text: string): string => text.split(/\r?\n/).map(visible).join('\n');
