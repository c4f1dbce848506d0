/**
 * Control characters, and those that change the direction or are invisible: they could disguise a name. Selectors of variants change
 * how the visible character before them looks. The group is a joiner between parts of emoji, which joins what is visible anyway.
 */
const DISGUISE =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic}))|[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** A text of someone else as one line, with invisible characters written as `\u202e`. */
export const visible = (text: string): string =>
  text.replace(DISGUISE, (character, joiner: string | undefined) => joiner ?? escaped(character));

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** The same for a text of several lines. */
export const visibleLines = (text: string): string => text.split(/\r?\n/).map(visible).join('\n');
