/** One file of a recipe: its text if it is new, otherwise the change. */
export interface Edit {
  path: string;
  change: string | ((text: string) => string);
}

/** Inserts text before its first occurrence of `mark`. */
export const before = (mark: string, added: string) => (text: string) => {
  if (!text.includes(mark)) throw new Error(`The file of the recipe has no ${JSON.stringify(mark)}.`);
  return text.replace(mark, () => added + mark);
};

/** Inserts text after its first occurrence of `mark`. */
export const after = (mark: string, added: string) => (text: string) => {
  if (!text.includes(mark)) throw new Error(`The file of the recipe has no ${JSON.stringify(mark)}.`);
  return text.replace(mark, () => mark + added);
};

export const all =
  (...changes: ((text: string) => string)[]) =>
  (text: string) =>
    changes.reduce((changed, change) => change(changed), text);
