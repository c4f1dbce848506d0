/** The shortest password that can be set. Shorter ones from earlier versions still work. */
export const MIN_PASSWORD_LENGTH = 12;

const SEQUENCES = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
];
const NEIGHBORS = new Set(
  SEQUENCES.flatMap((keys) => [...keys].slice(1).flatMap((key, i) => [`${keys[i]}${key}`, `${key}${keys[i]}`])),
);
const PRODUCT = 'svc';

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isLetterOrDigit = (character: string): boolean => /^[\p{L}\p{N}]$/u.test(character);

/** The characters from the first letter to the last one. */
function withoutEnds(characters: readonly string[]): string {
  const first = characters.findIndex(isLetter);
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
}

/** What a text repeats, such as `abc` for `abcabcab`; the text itself if it doesn't repeat. */
function unitOf(characters: readonly string[]): string {
  for (let length = 1; length <= characters.length / 2; length++) {
    if (characters.every((character, i) => character === characters[i % length]))
      return characters.slice(0, length).join('');
  }
  return characters.join('');
}

/** Whether it consists of runs of neighbors in the alphabet, among the digits or on a keyboard, four characters long on average. */
function isSequence(characters: readonly string[]): boolean {
  const breaks = characters.slice(1).filter((character, i) => !NEIGHBORS.has(`${characters[i]}${character}`)).length;
  return (breaks + 1) * 4 <= characters.length;
}

const lettersAndDigits = (text: string): string => [...text.toLowerCase()].filter(isLetterOrDigit).join('');

/** Whether nothing but digits is left without these names. */
function isMadeOf(characters: readonly string[], names: readonly string[]): boolean {
  let rest = characters.filter(isLetterOrDigit).join('');
  for (const name of names) if (name !== '') rest = rest.split(name).join('');
  return !/[^\p{N}]/u.test(rest);
}

interface PasswordOwner {
  name: string;
  /** Whether a text in lower case is on the list of common passwords. */
  isCommon: (text: string) => boolean;
}

/** Why a password is too easy to guess, as a sentence about it; null if it isn't (ACCESS-38). */
export function passwordWeakness(password: string, { name, isCommon }: PasswordOwner): string | null {
  const characters = [...password.normalize('NFKC').toLowerCase()];
  const hasLetters = characters.some(isLetter);
  if (new Set(characters).size < 4) return 'it repeats the same characters';
  if (isSequence(characters)) return 'it is a sequence of neighboring letters, digits or keys';
  if (hasLetters && isMadeOf(characters, [lettersAndDigits(name)])) return 'it is your name';
  if (hasLetters && isMadeOf(characters, [PRODUCT])) return 'it is the name of the product';
  const candidates = [characters.join(''), withoutEnds(characters), unitOf(characters)];
  if (candidates.some(isCommon)) return 'it is a common password, or one with digits, symbols or a repetition';
  return null;
}
