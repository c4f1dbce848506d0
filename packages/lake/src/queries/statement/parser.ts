/** The engine's own parser. */
export interface Parser {
  /** The serialized tree of a text, or the parser's error in serialized form. */
  readonly parse: (sql: string) => Promise<string>;
  /** SQL of a serialized tree, or null if the engine can't write it. */
  readonly deparse: (ast: string) => Promise<string | null>;
  /** `deparse`, and the tree of its text. */
  readonly deparseAndParse: (ast: string) => Promise<{ readonly text: string; readonly tree: string } | null>;
}
