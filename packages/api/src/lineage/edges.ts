import { nameKey } from '@svc/core/access';
import { type LineageColumn, type LineageEdge, MAX_LINEAGE_COLUMNS } from '@svc/core/lineage';
import type { Transaction } from '@svc/db/connection';
import { findInputColumns, type InputKey, type RecordedInput } from '@svc/db/lineage';
import { wireId } from '../tables/snapshot-id.ts';

/** What a caller may see of the tables of a lineage. */
export interface EdgeRights {
  /** Whether the caller may see runs and project versions. */
  readonly showsRuns: boolean;
  /** Whether the caller may read the table of this name. */
  readonly canRead: (name: string) => boolean;
}

type Edge = Omit<LineageEdge, 'columns'>;

/** The edges between the tables that a walk has found. */
export class LineageEdges {
  private readonly rights: EdgeRights;
  private readonly found = new Map<string, Edge>();
  private readonly recorded = new Map<string, InputKey>();

  constructor(rights: EdgeRights) {
    this.rights = rights;
  }

  addRecorded(input: string, output: string, row: RecordedInput): void {
    const { showsRuns, canRead } = this.rights;
    const key = keyOf(input, output);
    this.recorded.set(key, { tableId: row.table_id, inputId: row.input_id });
    this.found.set(key, {
      ...this.edge(input, output),
      read: row.is_read,
      input_snapshot_id: row.input_snapshot_id === null || !canRead(input) ? null : wireId(row.input_snapshot_id),
      run_id: showsRuns ? row.run_id : null,
      project_version_id: showsRuns ? row.project_version_id : null,
      built_at: row.built_at.toISOString(),
    });
  }

  addDeclared(input: string, output: string): void {
    this.found.set(keyOf(input, output), { ...this.edge(input, output), declared: true });
  }

  private edge(input: string, output: string): Edge {
    return this.found.get(keyOf(input, output)) ?? { input, output, ...NEVER_BUILT };
  }

  /** The edges by their names, with the columns of as many as fit, first of those at the root. */
  async all(db: Transaction, root: string): Promise<{ edges: LineageEdge[]; isComplete: boolean }> {
    const { canRead } = this.rights;
    const sorted = [...this.found.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    const atRoot = ([, edge]: [string, Edge]) =>
      [edge.input, edge.output].some((name) => nameKey(name) === nameKey(root));
    const readable = sorted.filter(([, { input, output }]) => canRead(input) && canRead(output));
    const ordered = [...readable.filter(atRoot), ...readable.filter((edge) => !atRoot(edge))];
    const keys = ordered.flatMap(([key]) => this.recorded.get(key) ?? []);
    const rows = await findInputColumns(db, { keys, limit: MAX_LINEAGE_COLUMNS });
    const columns = new Map<string, LineageColumn[] | null>(
      rows.map((row) => [`${row.table_id} ${row.input_id}`, row.columns]),
    );
    const columnsOf = (key: string) => {
      const recorded = this.recorded.get(key);
      return recorded === undefined ? null : (columns.get(`${recorded.tableId} ${recorded.inputId}`) ?? null);
    };
    return {
      edges: sorted.map(([key, edge]) => ({ ...edge, columns: columnsOf(key) })),
      isComplete: rows.every((row) => !row.is_omitted),
    };
  }
}

const NEVER_BUILT = {
  declared: false,
  read: false,
  input_snapshot_id: null,
  run_id: null,
  project_version_id: null,
  built_at: null,
} as const;

const keyOf = (input: string, output: string): string => `${nameKey(input)}\n${nameKey(output)}`;
