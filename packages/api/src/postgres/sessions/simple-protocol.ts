import { parseStatement } from '../statements/parse-statement.ts';
import type { SessionStatement } from '../statements/session-statement.ts';
import { splitStatements } from '../statements/split.ts';
import * as server from '../wire/server-message.ts';
import { CopyStatements } from './copy-statements.ts';
import { fetchRows } from './fetch.ts';
import { describeColumns, type Execution } from './portals.ts';
import { dataRowsTo } from './row-output.ts';
import type { SessionOptions } from './session-options.ts';
import type { StatementRunner } from './statement-runner.ts';
import { sendWarnings } from './warnings.ts';

/** Query messages: statements without parameters, one after the other, with rows as texts. */
export class SimpleProtocol {
  private readonly runner: StatementRunner;
  private readonly options: SessionOptions;
  private readonly copies: CopyStatements;

  constructor(runner: StatementRunner, options: SessionOptions) {
    this.runner = runner;
    this.options = options;
    this.copies = new CopyStatements(runner, options);
  }

  /** Later statements don't run after one that fails. @throws SessionError, ServiceError */
  async query(text: string): Promise<void> {
    const statements = splitStatements(text);
    if (statements.length === 0) this.options.sink.send(server.EMPTY_QUERY);
    // For settings, the statements of one message are a transaction.
    if (statements.length > 1) this.options.settings.startTransaction();
    let isCommitted = false;
    try {
      for (const statement of statements) await this.run(parseStatement(statement));
      isCommitted = true;
    } finally {
      if (!this.runner.transaction.isOpen) this.runner.finishSettings({ isCommitted });
    }
    await this.runner.sync();
  }

  private async run(statement: SessionStatement): Promise<void> {
    const { sink } = this.options;
    if (statement.kind === 'empty') sink.send(server.EMPTY_QUERY);
    else if (statement.kind === 'copy') await this.copies.run(statement.sql);
    else if (statement.kind === 'fetch')
      await fetchRows(this.runner, this.options, statement, { describe: true, formats: [] });
    else await this.send(await this.runner.start(statement, null));
  }

  private async send(execution: Execution): Promise<void> {
    const { sink } = this.options;
    const { columns, rows, tag, warnings } = execution;
    sendWarnings(sink, warnings);
    if (columns !== null) sink.send(server.rowDescription(describeColumns(columns, [])));
    const read =
      rows === null ? 0 : await this.runner.queries.read(execution, Number.POSITIVE_INFINITY, dataRowsTo(sink, []));
    sink.send(server.commandComplete(tag(read)));
  }
}
