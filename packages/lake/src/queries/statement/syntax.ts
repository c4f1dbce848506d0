import type { EngineChild } from '../sandbox/child-process.ts';
import type { ChildAnswers } from '../sandbox/child-protocol.ts';

/** Characters of statements and trees that are remembered. */
const KEPT = 16 * 1024 * 1024;

/**
 * What the engine makes of a text, which depends on nothing else: the tree of a statement, the statement of a tree.
 * Remembered, for people and programs ask the same again and again. What it means, and for whom, is decided every time.
 */
export class Syntax {
  private readonly trees = new Texts<string>((tree) => tree.length);
  private readonly statements = new Texts<ChildAnswers['deparse']>((written) =>
    written === null ? 0 : written.sql.length + written.ast.length,
  );

  /** The serialised tree of a statement, or the parser's error in its form. */
  treeOf(child: EngineChild, sql: string): Promise<string> {
    return this.trees.get(sql, () => child.ask({ op: 'parse', sql }));
  }

  /** SQL of a serialised tree, and the tree of that SQL; null where the engine cannot write it out. */
  statementOf(child: EngineChild, ast: string): Promise<ChildAnswers['deparse']> {
    return this.statements.get(ast, () => child.ask({ op: 'deparse', ast }));
  }
}

/** By their text, those used last; half of what both together may take. */
class Texts<V> {
  private readonly known = new Map<string, V>();
  private readonly sizeOf: (value: V) => number;
  private size = 0;

  constructor(sizeOf: (value: V) => number) {
    this.sizeOf = sizeOf;
  }

  async get(text: string, ask: () => Promise<V>): Promise<V> {
    const found = this.known.get(text) ?? (await ask());
    this.forget(text);
    this.known.set(text, found);
    this.size += text.length + this.sizeOf(found);
    for (const oldest of this.known.keys()) {
      if (this.size <= KEPT / 2) break;
      this.forget(oldest);
    }
    return found;
  }

  private forget(text: string): void {
    const value = this.known.get(text);
    if (value === undefined) return;
    this.known.delete(text);
    this.size -= text.length + this.sizeOf(value);
  }
}
