import { isNamePart } from '@svc/core/access';
import { fieldsOfColumns } from '@svc/iceberg';
import { QueryRejectedError } from '../../queries/query-errors.ts';
import type { CatalogTable } from '../../queries/relations/relations.ts';
import { tableKey } from '../../queries/statement/guard.ts';
import {
  plainNames,
  quoted,
  type Random,
  randomFrom,
  StatementWriter,
} from '../../queries/statement/testing/random-statements.ts';
import { hostileTexts, MARK } from '../../queries/testing/odd-values.ts';
import { foreignParts } from './foreign-parts.ts';
import { Translator } from './translator.ts';

/** Names of tables of the catalog, many of which mean something to an engine. The printer makes none of them. */
const TABLES = ['a', 'A', 'k', 'K', 's', 'S', 'i', 'system', 'runtime', 'nodes', 'dual', 'read_text', 't0', 'jmx'];
/** Names that no table can have, so that a statement can only name a part of itself by them. */
const OTHERS = [
  ...plainNames.filter((name) => !isNamePart(name)),
  ...['(catalog)', 'a$snapshots', 'k$files', 'file.csv', '/etc/passwd', 'https://example.com/x.parquet', `a" ${MARK}`],
];

const HOSTILE = hostileTexts('/etc/passwd').filter((text) => !text.includes('\0') && text !== '');

export type Translations = { readonly foreign: string[]; printed: number; readonly refused: Map<string, number> };

/** Random statements over tables whose names are also those of CTEs, files and system tables, written for Trino. */
export class RandomTranslations {
  private readonly translator: Translator;
  /** Tables of the catalog that the statement under way was bound to. */
  private readonly bound = new Set<string>();

  private constructor(translator: Translator) {
    this.translator = translator;
  }

  static async open(): Promise<RandomTranslations> {
    const translations = new RandomTranslations(await Translator.create());
    translations.addTables();
    return translations;
  }

  /** Each reads another table of the catalog, whose name differs from the name in the statement. */
  private addTables(): void {
    const { relations, resolve } = this.translator.fixture;
    const { fields } = fieldsOfColumns([{ name: 'x', type: 'string' }]);
    for (const name of TABLES.flatMap((one) => [[one], ['s', one]])) {
      const table = `bound${relations.size}`;
      const catalogTable: CatalogTable = { environment: 'dev', namespace: 'n', table, snapshotId: '42', fields };
      const key = tableKey(name);
      if (!relations.has(key))
        relations.set(key, { kind: 'managed', fields, files: [], catalogTables: [catalogTable] });
    }
    const recorded: typeof resolve = async (tables) => {
      const found = await resolve(tables);
      for (const relation of found) {
        if (relation?.kind !== 'managed') continue;
        this.bound.add(`"svc_dev"."n"."${relation.catalogTables![0]!.table}"`);
      }
      return found;
    };
    Object.assign(this.translator.fixture, { resolve: recorded });
  }

  async run(seed: number, count: number): Promise<Translations> {
    const random = randomFrom(seed);
    const one = (of: readonly string[]) => of[random(of.length)]!;
    const outcome: Translations = { foreign: [], printed: 0, refused: new Map() };
    for (let i = 0; i < count; i++) {
      const names = Array.from({ length: 4 }, () => one(random(6) === 0 ? OTHERS : TABLES));
      const statement = hostile(new StatementWriter(random, names).statement(), random);
      this.bound.clear();
      try {
        const { sql } = await this.translator.translate(statement);
        outcome.printed += 1;
        const foreign = foreignParts(sql.text, this.bound, new Set(['"x"']));
        if (foreign.length > 0) outcome.foreign.push(`${statement}\n→ ${sql.text}\n${foreign.join(', ')}`);
      } catch (error) {
        if (!(error instanceof QueryRejectedError)) throw error;
        const { code } = error.error;
        outcome.refused.set(code, (outcome.refused.get(code) ?? 0) + 1);
      }
    }
    return outcome;
  }

  close(): Promise<void> {
    return this.translator.close();
  }
}

/** With aliases and texts that would be SQL if they were not quoted. */
function hostile(sql: string, random: Random): string {
  const text = HOSTILE[random(HOSTILE.length)]!;
  return sql
    .replaceAll(/\bq(\d+l?)\b/g, (_, number: string) => quoted(`q${number}${MARK}" ${text}`))
    .replaceAll("'m'", () => `'${text.replaceAll("'", "''")}'`);
}
