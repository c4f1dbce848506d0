import { integer, string } from '@oclif/core/flags';
import type { Query } from '@svc/sdk';
import { breakGlassFlags, breakGlassOf, envFlag, word } from '../arguments/flags.ts';
import { SvcCommand } from '../command.ts';
import { EXIT, Failed, usage, workFailed } from '../exit.ts';
import { jsonText } from '../output/escape.ts';
import { plural } from '../output/format.ts';
import { requireSuccess, showResults } from '../results.ts';
import { during } from '../terminal/progress.ts';
import { readStdin } from '../terminal/stdin.ts';

export default class Sql extends SvcCommand<typeof Sql> {
  static override summary = 'Run an SQL statement and show its rows, or put them into a table';
  static override examples = [
    "svc sql 'select count(*) from sales.orders' --env dev",
    "svc sql 'select * from sales.orders' --env dev --format parquet --file orders.parquet",
    "svc sql 'select * from sales.orders where amount > 100' --env dev --into sales.large --mode create",
  ];
  static override args = { statement: word('an SQL statement; - reads it from standard input') };
  static override flags = {
    ...envFlag,
    into: string({ description: 'table that takes the rows', helpValue: 'NAMESPACE.TABLE' }),
    mode: string({
      description: 'goes with --into; default create',
      options: ['create', 'append', 'replace'],
      dependsOn: ['into'],
    }),
    'expire-after': integer({
      description: 'goes with --mode create: drop the table after so many days without use',
      helpValue: 'DAYS',
      dependsOn: ['into'],
    }),
    format: string({
      description: 'csv and parquet give all rows',
      options: ['table', 'csv', 'parquet'],
      default: 'table',
    }),
    file: string({ description: 'write the rows there (csv, parquet)', helpValue: 'FILE' }),
    limit: integer({ description: 'rows to show, up to 10000', helpValue: 'N' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { into, mode, 'expire-after': days, format, file, limit } = this.flags;
    if (days !== undefined && mode !== undefined && mode !== 'create')
      throw usage('--expire-after goes with --mode create only.');
    const sql = this.args.statement === '-' ? await readStdin(this.io) : this.args.statement;
    const query = await this.#ended((signal) =>
      this.client.queries.submit(this.environment, sql, {
        into,
        mode: mode as 'create' | undefined,
        expire_after: days,
        signal,
        ...breakGlassOf(this.flags),
      }),
    );
    requireSuccess(query);
    if (into === undefined) return showResults(this, query, { format, file, limit });
    this.#tellInto(query, into);
  }

  /** Ctrl-C cancels the query, also while it is being submitted. */
  async #ended(submit: (signal: AbortSignal) => Promise<Query>): Promise<Query> {
    const { signal, release } = this.#interruption();
    let at: Query | undefined;
    const onProgress = (query: Query) => {
      at = query;
    };
    const watched = this.io.interactive ? { onProgress } : {};
    const wait = async () => {
      at = await submit(signal);
      return this.client.queries.wait(this.environment, at.id, { signal, ...watched });
    };
    try {
      return await during(this.io, () => (at === undefined ? 'Submitting' : told(at)), wait);
    } catch (error) {
      if (!signal.aborted) throw error;
      if (at !== undefined) await this.client.queries.cancel(this.environment, at.id).catch(() => undefined);
      throw new Failed(`Interrupted: the query ${at === undefined ? '' : `${at.id} `}is cancelled.`, EXIT.interrupted);
    } finally {
      release();
    }
  }

  #interruption(): { signal: AbortSignal; release: () => void } {
    const controller = new AbortController();
    const release = this.io.onInterrupt(() => controller.abort(new Error('interrupted')));
    return { signal: controller.signal, release };
  }

  #tellInto(query: Query, into: string): void {
    if (this.json) this.print(jsonText(query));
    else this.print(`Wrote ${query.row_count === null ? 'the rows' : plural(query.row_count, 'row')} into ${into}.`);
    const refused = query.retention_error;
    if (refused !== undefined)
      throw workFailed(`The table stands, without its retention: ${refused.detail}`, refused.remedy);
  }
}

const told = ({ status, progress }: Query) =>
  status === 'QUEUED' ? 'Queued' : `Running${progress === null ? '' : `, ${Math.round(progress * 100)} %`}`;
