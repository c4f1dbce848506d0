import { boolean, integer, string } from '@oclif/core/flags';
import type { AffectedRows, Query } from '@svc/sdk';
import { breakGlassFlags, breakGlassOption, envFlag, optionalArg, resultFlags } from '../arguments/flags.ts';
import { type Params, readParams, savedParams } from '../arguments/params.ts';
import { findSavedQuery } from '../arguments/saved-query.ts';
import { readStatement } from '../arguments/statement.ts';
import { usageError, workError } from '../cli-error.ts';
import { plural } from '../output/format.ts';
import { requireSuccess, resultFormat, showResults } from '../queries/results.ts';
import { watchQuery } from '../queries/watch-query.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Sql extends SvcCommand<typeof Sql> {
  static override summary = 'Run a SQL statement: show rows, write them to a table, or change rows';
  static override examples = [
    "svc sql 'select count(*) from sales.orders' --env dev",
    "svc sql 'select * from sales.orders' --env dev --file orders.parquet",
    "svc sql 'select * from sales.orders where amount > 100' --env dev --into sales.large --mode create",
    "svc sql 'delete from sales.orders where amount = 0' --env dev --dry-run",
    'svc sql -f monthly.sql -p country=DE -p day:date=2026-03-01 --env dev',
    "svc sql --saved 'orders of a day' -p day=2026-03-01 --env dev",
  ];
  static override args = {
    statement: optionalArg('SQL statement; - reads standard input'),
  };
  static override flags = {
    ...envFlag,
    from: string({ char: 'f', description: 'file with the SQL statement', helpValue: 'FILE' }),
    saved: string({
      description: 'saved query to run, by name or id; parameters without a value have their defaults',
      helpValue: 'QUERY',
      exclusive: ['from'],
    }),
    param: string({
      char: 'p',
      description: 'value of the parameter $NAME of the statement; a text, unless a type is given',
      helpValue: 'NAME[:TYPE]=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    into: string({ description: 'table to write the rows to', helpValue: 'NAMESPACE.TABLE' }),
    mode: string({
      description: 'how to write the rows (requires --into; default: create)',
      options: ['create', 'append', 'replace'],
      dependsOn: ['into'],
    }),
    'expire-after': integer({
      description: 'days without use after which the table is dropped (requires --mode create)',
      helpValue: 'DAYS',
      dependsOn: ['into'],
    }),
    'dry-run': boolean({
      description: 'count the rows that INSERT, UPDATE, DELETE, MERGE or TRUNCATE would change, and change none',
    }),
    cache: boolean({
      description: 'reuse the cached result of the same query over the same data (default: on)',
      default: true,
      allowNo: true,
    }),
    ...resultFlags,
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { into, mode, 'expire-after': days, cache, file, limit, raw } = this.flags;
    const format = resultFormat(this.flags);
    if (days !== undefined && mode !== undefined && mode !== 'create')
      throw usageError('--expire-after requires --mode create.');
    const { sql, params } = await this.#statement();
    const options = {
      ...{ params, into, mode: mode as 'create' | undefined, expire_after: days },
      dry_run: this.flags['dry-run'] ? true : undefined,
      cache: cache ? undefined : false,
      ...breakGlassOption(this.flags),
    };
    const query = await watchQuery(this.io, async ({ signal, onProgress }) => {
      const submitted = await this.client.queries.submit(this.environment, sql, { ...options, signal });
      onProgress(submitted);
      const watched = this.io.interactive ? { onProgress } : {};
      try {
        return await this.client.queries.wait(this.environment, submitted.id, { signal, ...watched });
      } finally {
        if (signal.aborted) await this.client.queries.cancel(this.environment, submitted.id).catch(() => undefined);
      }
    });
    await requireSuccess(query);
    if (query.affected !== undefined) return this.#reportChange(query, query.affected);
    if (query.into === null) return showResults(this, query, { format, file, limit, raw });
    this.#reportInto(query, query.into);
  }

  async #statement(): Promise<{ sql: string; params: Params | undefined }> {
    const { statement } = this.args;
    const { saved, param = [] } = this.flags;
    if (saved === undefined)
      return { sql: await readStatement(this.io, statement, this.flags.from), params: readParams(param) };
    if (statement !== undefined) throw usageError('Write the statement, or name a saved query with --saved.');
    const query = await findSavedQuery(this.client, this.environment, saved);
    return { sql: query.sql_text, params: savedParams(query, param) };
  }

  #reportChange(query: Query, { inserted, updated, deleted }: AffectedRows): void {
    if (this.json) {
      this.printJson(query);
      return;
    }
    const counts = Object.entries({ inserted, updated, deleted }).filter(([, count]) => count > 0);
    const changed = counts.map(([what, count]) => `${plural(count, 'row')} ${what}`).join(', ') || 'no row changed';
    this.print(query.dry_run === true ? `Dry run on ${query.into}: ${changed}.` : `${query.into}: ${changed}.`);
  }

  #reportInto(query: Query, into: string): void {
    if (this.json) this.printJson(query);
    else this.print(`Wrote ${query.row_count === null ? 'the rows' : plural(query.row_count, 'row')} into ${into}.`);
    const refused = query.retention_error;
    if (refused !== undefined)
      throw workError(`The table was created, but its retention was not set: ${refused.detail}`, refused.remedy);
  }
}
