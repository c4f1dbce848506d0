import { type Column, fieldsOfColumns } from '@svc/iceberg';
import { createViews } from '../../queries/create-views.ts';
import { planQuery } from '../../queries/plan-query.ts';
import { QueryRejectedError } from '../../queries/query-errors.ts';
import type { CatalogTable, Policies, Relation } from '../../queries/relations/relations.ts';
import { outputColumns } from '../../queries/results/result-columns.ts';
import type { EngineChild } from '../../queries/sandbox/child-process.ts';
import { confine } from '../../queries/sandbox/confine.ts';
import { QueryFixture } from '../../queries/testing/query-fixture.ts';
import { CatalogTables } from '../catalog-tables.ts';
import { startTranslation, type Translated, translate } from '../translate.ts';

/** Tables of a catalog without files, and statements over them written for Trino; Trino itself is not needed. */
export class Translator {
  readonly fixture: QueryFixture;
  /** One for all statements: a start costs more than they do. */
  private readonly child: Promise<EngineChild>;
  private release = (): void => undefined;

  private constructor(fixture: QueryFixture) {
    this.fixture = fixture;
    const closed = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.child = new Promise((resolve) => {
      void fixture.sandbox.withChild(async (child) => {
        resolve(child);
        await closed;
      });
    });
  }

  static async create(): Promise<Translator> {
    return new Translator(await QueryFixture.create());
  }

  addTable(
    name: string,
    columns: readonly Column[],
    more: Policies & { readonly catalogTable?: Partial<CatalogTable> } = {},
  ): void {
    const { fields } = fieldsOfColumns(columns);
    const at = name.lastIndexOf('.');
    const { catalogTable: changes, ...policies } = more;
    const catalogTable: CatalogTable = {
      environment: 'dev',
      namespace: at < 0 ? 'none' : name.slice(0, at),
      table: name.slice(at + 1),
      snapshotId: '42',
      fields,
      ...changes,
    };
    this.add(name, { kind: 'managed', fields, files: [], catalogTables: [catalogTable], ...policies });
  }

  add(name: string, relation: Relation): void {
    this.fixture.relations.set(name.toLowerCase(), relation);
  }

  /** The statement for Trino. @throws QueryRejectedError */
  async translate(sql: string): Promise<Translated> {
    const { sandbox, store, resolve } = this.fixture;
    const { layouts, syntax } = sandbox;
    const child = await this.child;
    await startTranslation(child);
    const tables = new CatalogTables((environment) => `svc_${environment}`);
    const readTable = (table: Parameters<CatalogTables['add']>[0]) => tables.add(table);
    const access = { localPath: (location: string) => store.localPath(location), layouts, syntax, readTable };
    const plan = await planQuery(child, sql, resolve, access);
    await confine(child, sandbox.options, { files: plan.paths, outputDir: null });
    await createViews(child, plan);
    const text = await plan.sql;
    const columns = outputColumns(await child.send({ op: 'describe', sql: text.text }));
    return translate(child, { ...plan, sql: text, columns }, tables.source);
  }

  /** The statement for Trino, or why it can't be translated. */
  async translated(sql: string): Promise<string> {
    try {
      return (await this.translate(sql)).sql.text;
    } catch (error) {
      if (error instanceof QueryRejectedError) return `${error.error.code}: ${error.message}`;
      throw error;
    }
  }

  close(): Promise<void> {
    this.release();
    return this.fixture.close();
  }
}
