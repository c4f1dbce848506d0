import type { ViewNames } from '../relations/relations.ts';
import type { EngineChild } from '../sandbox/child-process.ts';
import type { ChildAnswers } from '../sandbox/child-protocol.ts';
import type { ReadStatement } from './read-statement.ts';

/** Characters of statements that are remembered. */
const KEPT = 16 * 1024 * 1024;

/**
 * What the engine reads in a text, which depends on nothing else. Remembered, for people and programs send the same again
 * and again. What it means, and for whom, is decided every time.
 */
export class Syntax {
  private readonly statements = new Texts<ChildAnswers['read']>((read) => (read.ok ? sizeOf(read) : 100));
  private readonly policies = new Texts<ChildAnswers['read-policy']>(() => 1000);

  /** @param view the statement is the text of this view */
  statement(child: EngineChild, sql: string, view?: ViewNames): Promise<ChildAnswers['read']> {
    const names = view && { namespace: view.namespace, catalog: view.catalog };
    // No text of a statement is the key of a view's: that one begins with a brace.
    const key = `${names === undefined ? '' : JSON.stringify(names)}\0${sql}`;
    return this.statements.get(key, () => child.ask({ op: 'read', sql, ...(names && { view: names }) }));
  }

  policy(child: EngineChild, text: string): Promise<ChildAnswers['read-policy']> {
    return this.policies.get(text, () => child.ask({ op: 'read-policy', text }));
  }
}

/** In characters, roughly: a condition holds constants of the text at most. */
const sizeOf = ({ sql, tables, columns }: ReadStatement): number => sql.length + 100 * (tables.length + columns.length);

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
