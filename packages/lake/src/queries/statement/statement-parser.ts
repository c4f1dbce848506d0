import type { ViewNames } from '../relations/relations.ts';
import type { ChildSource } from '../sandbox/child-process.ts';
import type { ChildResults } from '../sandbox/child-protocol.ts';
import type { Dialect } from './postgres/rewriter.ts';
import type { ReadStatement, StatementParams } from './read-statement.ts';

/** Characters of statements and policies in the cache, for all owners together. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/**
 * Caches how the engine parses a text, which depends on nothing else, because people and programs send the same text
 * repeatedly. What the text means, and for whom, is decided every time.
 *
 * A parse result comes from a process that ran statements of its owner, and is reused only for that owner: native code
 * that takes over a process can't plant one for anyone else. A process without an owner serves one query, and nothing
 * is cached.
 */
export class StatementParser {
  private readonly statements = new Texts<ChildResults['read']>((read) => (read.ok ? sizeOf(read) : 100));
  private readonly policies = new Texts<ChildResults['read-policy']>(() => 1000);

  /**
   * `view`: set if the statement is the text of this view. `params`: the values of its parameters. `dialect`: whose syntax it
   * is, unless it is the engine's.
   */
  statement(
    source: ChildSource,
    sql: string,
    {
      view,
      params,
      dialect,
    }: { view?: ViewNames | undefined; params?: StatementParams; dialect?: Dialect | undefined } = {},
  ): Promise<ChildResults['read']> {
    const names = view && { namespace: view.namespace, catalog: view.catalog };
    const more = { ...(names && { view: names }), ...(params && { params }), ...(dialect && { dialect }) };
    const load = async () => (await source.child()).send({ op: 'read', sql, ...more });
    return this.statements.get(keyOf(source, sql, more), load);
  }

  policy(source: ChildSource, text: string): Promise<ChildResults['read-policy']> {
    return this.policies.get(keyOf(source, text), async () => (await source.child()).send({ op: 'read-policy', text }));
  }
}

/** The JSON before the text is self-delimiting, so no text can collide with another key. */
function keyOf({ owner }: ChildSource, text: string, more: object = {}): string | null {
  return owner === undefined ? null : `${JSON.stringify([owner, more])}${text}`;
}

/** Approximate size in characters: a condition contains at most the constants of the text. */
const sizeOf = ({ sql, tables, columns }: ReadStatement): number => sql.length + 100 * (tables.length + columns.length);

/** Cached values by key in order of use, limited to half of the total for both caches. */
class Texts<V> {
  private readonly known = new Map<string, V>();
  private readonly sizeOf: (value: V) => number;
  private size = 0;

  constructor(sizeOf: (value: V) => number) {
    this.sizeOf = sizeOf;
  }

  /** @param key null if the value must not be cached */
  async get(key: string | null, load: () => Promise<V>): Promise<V> {
    if (key === null) return load();
    const found = this.known.get(key) ?? (await load());
    this.evict(key);
    this.known.set(key, found);
    this.size += key.length + this.sizeOf(found);
    for (const oldest of this.known.keys()) {
      if (this.size <= MAX_CACHED_BYTES / 2) break;
      this.evict(oldest);
    }
    return found;
  }

  private evict(key: string): void {
    const value = this.known.get(key);
    if (value === undefined) return;
    this.known.delete(key);
    this.size -= key.length + this.sizeOf(value);
  }
}
