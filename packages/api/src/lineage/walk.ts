import { nameKey } from '@svc/core/access';
import { type LineageTable, MAX_LINEAGE_TABLES } from '@svc/core/lineage';
import type { Transaction } from '@svc/db/connection';
import { findInputs, findTablesByName, type RecordedInput, type LineageTable as StoredTable } from '@svc/db/lineage';
import type { VisibleTables } from '@svc/db/tables';
import type { DeclaredInputs } from './declared.ts';
import type { LineageEdges } from './edges.ts';

type Direction = 'upstream' | 'downstream';

/** A table of the lineage; `id` is null if no such table exists. */
export interface LineageNode {
  name: string;
  id: string | null;
  kind: LineageTable['kind'];
}

/** What a walk reads, and where it adds the edges that it finds. */
export interface WalkSource {
  readonly db: Transaction;
  readonly environmentId: string;
  readonly visible: VisibleTables;
  /** The same for the name of a table that may not exist. */
  readonly canSee: (name: string) => boolean;
  readonly declared: DeclaredInputs;
  readonly edges: LineageEdges;
}

/** The most recorded inputs that one step reads. */
const MAX_EDGES = 10_000;

/** The edges of one step, and the tables at their other ends by name. */
interface Step {
  readonly recorded: readonly { readonly row: RecordedInput; readonly from: LineageNode }[];
  readonly declared: readonly (readonly [input: string, output: string])[];
  readonly nodes: readonly LineageNode[];
}

/**
 * Follows inputs and outputs step by step. A table that the caller may not see is never followed, so what lies behind it looks as if it
 * didn't exist.
 */
export class LineageWalk {
  private readonly source: WalkSource;
  truncated = false;

  constructor(source: WalkSource) {
    this.source = source;
  }

  async follow(root: LineageNode, direction: Direction, depth: number): Promise<LineageTable[]> {
    const seen = new Map([[nameKey(root.name), root]]);
    const tables: LineageTable[] = [];
    let last: LineageNode[] = [root];
    // The step after the last one adds the edges between its tables, and shows whether there are more.
    for (let step = 1; step <= depth + 1 && last.length > 0; step++) {
      const found = await this.step(last, direction);
      const free = step > depth ? 0 : MAX_LINEAGE_TABLES - tables.length;
      const next = found.nodes.filter(({ name }) => !seen.has(nameKey(name)));
      if (next.length > free) this.truncated = true;
      last = next.slice(0, free);
      for (const node of last) {
        seen.set(nameKey(node.name), node);
        tables.push(this.shown(node, step));
      }
      this.addEdges(found, direction, seen);
    }
    return tables;
  }

  shown({ name, kind }: LineageNode, depth: number): LineageTable {
    return { name, kind, repository: this.source.declared.asset(name)?.repository ?? null, depth };
  }

  private async step(from: readonly LineageNode[], direction: Direction): Promise<Step> {
    const { db, environmentId, visible } = this.source;
    const tableIds = from.flatMap(({ id }) => (id === null ? [] : [id]));
    const all = await findInputs(db, { environmentId, tableIds, direction, visible, limit: MAX_EDGES + 1 });
    if (all.length > MAX_EDGES) this.truncated = true;
    const rows = all.slice(0, MAX_EDGES);
    const owners = new Map(from.map((node) => [node.id, node]));
    const ownerOf = (row: RecordedInput) => owners.get(direction === 'upstream' ? row.table_id : row.input_id)!;
    const { declared, names } = this.declaredAt(from, direction);
    const stored = await findTablesByName(db, { environmentId, names: [...names.keys()] });
    const nodes = new Map<string, LineageNode>();
    for (const [key, name] of names) nodes.set(key, { name, id: null, kind: null });
    for (const { id, name, kind } of [...rows, ...stored] as StoredTable[])
      nodes.set(nameKey(name), { name, id, kind });
    const sorted = [...nodes.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => node);
    return { recorded: rows.map((row) => ({ row, from: ownerOf(row) })), declared, nodes: sorted };
  }

  /** The edges that assets declare, and the visible names at their other ends by key. */
  private declaredAt(from: readonly LineageNode[], direction: Direction) {
    const { declared, canSee } = this.source;
    const edges: [input: string, output: string][] = [];
    const names = new Map<string, string>();
    for (const { name } of from)
      for (const [key, other] of declared.of(direction, name)) {
        if (!canSee(other)) continue;
        names.set(key, declared.asset(other)?.name ?? other);
        edges.push(direction === 'upstream' ? [other, name] : [name, other]);
      }
    return { declared: edges, names };
  }

  /** Adds the edges between tables that are shown. */
  private addEdges({ recorded, declared }: Step, direction: Direction, seen: ReadonlyMap<string, LineageNode>): void {
    const { edges } = this.source;
    const nameOf = (name: string) => seen.get(nameKey(name))?.name;
    for (const { row, from } of recorded) {
      const other = nameOf(row.name);
      if (other === undefined) continue;
      const [input, output] = direction === 'upstream' ? [other, from.name] : [from.name, other];
      edges.addRecorded(input, output, row);
    }
    for (const [from, to] of declared) {
      const [input, output] = [nameOf(from), nameOf(to)];
      if (input !== undefined && output !== undefined) edges.addDeclared(input, output);
    }
  }
}
