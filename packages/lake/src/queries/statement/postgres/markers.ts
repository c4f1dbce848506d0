/** What an operator of PostgreSQL means that has another name, or none, in the engine. */
export interface Marked {
  readonly operator: 'similar' | 'like' | 'ilike' | 'matches' | 'imatches' | 'path' | 'pathText' | 'get';
  readonly isNot: boolean;
  /** Whether its right side is an array of patterns, of which any or all must match. */
  readonly of: 'any' | 'all' | null;
}

const SIGNS: Readonly<Record<Marked['operator'], string>> = {
  similar: '~~~',
  like: '~~',
  ilike: '~~*',
  matches: '~',
  imatches: '~*',
  path: '>',
  pathText: '>>',
  get: '->',
};
const QUANTIFIERS = { any: '|', all: '&' } as const;

/** The operator that stands for it in a text. Neither PostgreSQL nor the engine has operators of these names. */
export const marker = ({ operator, isNot, of }: Marked): string =>
  `<^${isNot ? '!' : ''}${SIGNS[operator]}${of === null ? '' : QUANTIFIERS[of]}^>`;

const MARKED: ReadonlyMap<string, Marked> = new Map(
  (Object.keys(SIGNS) as Marked['operator'][]).flatMap((operator) =>
    [true, false].flatMap((isNot) =>
      ([null, 'any', 'all'] as const).map((of) => [marker({ operator, isNot, of }), { operator, isNot, of }] as const),
    ),
  ),
);

export const markedOperator = (name: string): Marked | undefined => MARKED.get(name);
