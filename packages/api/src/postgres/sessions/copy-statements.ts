import { parseRead } from '../statements/parse-statement.ts';
import type { CopyStatement } from '../values/index.ts';
import { copyEnd, copyStart, parseCopy } from '../values/index.ts';
import * as server from '../wire/server-message.ts';
import { quoted } from './change-parameters.ts';
import { CopyInput } from './copy-input.ts';
import { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import type { StatementRunner } from './statement-runner.ts';

type CopyOut = Extract<CopyStatement, { direction: 'to' }>;

/** COPY: the rows of a query for the client, or rows of the client as a load. */
export class CopyStatements {
  private readonly runner: StatementRunner;
  private readonly options: SessionOptions;
  private readonly input: CopyInput;

  constructor(runner: StatementRunner, options: SessionOptions) {
    this.runner = runner;
    this.options = options;
    this.input = new CopyInput(options);
  }

  /** @throws SessionError, ServiceError, PgValueError */
  async run(sql: string): Promise<void> {
    this.runner.transaction.requireUsable();
    const copy = parseCopy(sql);
    if (copy === null) throw new SessionError('42601', 'Write COPY … TO STDOUT or COPY … FROM STDIN.');
    const { sink } = this.options;
    let rows: number;
    if (copy.direction === 'to') rows = await this.send(copy);
    else {
      this.runner.requireAllowed('COPY FROM');
      rows = await this.input.load(copy.source, copy.options);
    }
    sink.send(server.commandComplete(`COPY ${rows}`));
  }

  private async send({ source, options }: CopyOut): Promise<number> {
    const { sink } = this.options;
    const sql = source.kind === 'query' ? source.sql : selectFrom(source);
    const execution = await this.runner.start(parseRead(sql), null);
    const columns = execution.columns ?? [];
    sink.send(server.copyResponse('out', options.format === 'binary' ? 1 : 0, columns.length));
    const start = copyStart(
      columns.map(({ name }) => name),
      options,
    );
    // In binary, the start belongs to the message of the first row, where drivers look for it.
    let head = options.format === 'binary' ? start : Buffer.alloc(0);
    if (head.length === 0 && start.length > 0) sink.send(server.copyData(start));
    const rows = await this.runner.queries.read(execution, Number.POSITIVE_INFINITY, (batch, from, to) => {
      const data = batch.copyData(from, to, options);
      const messages = head.length === 0 ? data : server.startCopyData(head, data);
      head = Buffer.alloc(0);
      return sink.sendRows(messages);
    });
    const end = Buffer.concat([head, copyEnd(options)]);
    if (end.length > 0) sink.send(server.copyData(end));
    sink.send(server.COPY_DONE);
    return rows;
  }
}

const selectFrom = ({ sql, columns }: { sql: string; columns: readonly string[] | null }): string =>
  `SELECT ${columns === null ? '*' : columns.map(quoted).join(', ')} FROM ${sql}`;
