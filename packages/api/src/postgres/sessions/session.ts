import type { ClientMessage } from '../wire/client-message.ts';
import { ProtocolError } from '../wire/protocol-error.ts';
import * as server from '../wire/server-message.ts';
import { ExtendedProtocol } from './extended-protocol.ts';
import { INTERNAL_ERROR, reportOf } from './failures.ts';
import { SessionError, unsupported } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { SimpleProtocol } from './simple-protocol.ts';
import { StatementRunner } from './statement-runner.ts';

/** A session of a client that has signed in: it takes one message after the other. */
export class Session {
  private readonly options: SessionOptions;
  private readonly runner: StatementRunner;
  private readonly simple: SimpleProtocol;
  private readonly extended: ExtendedProtocol;
  /** After an error in the extended protocol, messages are ignored until Sync. */
  private isSkipping = false;
  private isBusy = false;
  private wakeIdle: (() => void) | null = null;

  constructor(options: SessionOptions) {
    this.options = options;
    this.runner = new StatementRunner(options);
    this.simple = new SimpleProtocol(this.runner, options);
    this.extended = new ExtendedProtocol(this.runner, options);
  }

  /** Runs until the client leaves, or until an error ends the session. */
  async run(): Promise<void> {
    const { sink, isDraining } = this.options;
    try {
      sink.send(server.readyForQuery('I'));
      for (;;) {
        await sink.flush();
        if (isDraining()) return await this.end(DRAINED);
        const message = await this.nextMessage();
        if (message === 'draining') return await this.end(DRAINED);
        if (message === null || message.kind === 'terminate') return;
        this.isBusy = true;
        const isOver = await this.handle(message).finally(() => this.runner.queries.idle());
        this.isBusy = false;
        if (isOver) return;
      }
    } catch (error) {
      // Between messages, only the protocol can be violated.
      await this.end(this.reportOf(error));
    } finally {
      await this.runner.close();
    }
  }

  /** Whether it waits for its client. */
  get isIdle(): boolean {
    return !this.isBusy;
  }

  /** Cancels the statement that runs, if any. */
  cancel(): void {
    this.runner.queries.cancel();
  }

  /** Ends the session now if it waits for its client; otherwise after the statement that it runs. */
  drain(): void {
    if (!this.isBusy) this.wakeIdle?.();
  }

  private async nextMessage(): Promise<ClientMessage | 'draining' | null> {
    const draining = new Promise<'draining'>((resolve) => {
      this.wakeIdle = () => resolve('draining');
    });
    return Promise.race([this.options.source.next(), draining]);
  }

  /** Returns whether the session is over. */
  private async handle(message: ClientMessage): Promise<boolean> {
    if (this.isSkipping && message.kind !== 'sync') return false;
    try {
      await this.perform(message);
      return false;
    } catch (error) {
      const report = this.reportOf(error);
      if (report.severity === 'FATAL') {
        await this.end(report);
        return true;
      }
      this.options.sink.send(server.report(report));
      this.runner.transaction.fail();
      if (message.kind === 'query' || message.kind === 'function-call')
        this.options.sink.send(server.readyForQuery(this.runner.transaction.status));
      else this.isSkipping = true;
      return false;
    }
  }

  private async perform(message: ClientMessage): Promise<void> {
    const { sink } = this.options;
    switch (message.kind) {
      case 'query':
        await this.simple.query(message.sql);
        sink.send(server.readyForQuery(this.runner.transaction.status));
        return;
      case 'sync':
        this.isSkipping = false;
        await this.runner.sync();
        sink.send(server.readyForQuery(this.runner.transaction.status));
        return;
      case 'flush':
        return sink.flush();
      case 'parse':
        return this.extended.parse(message);
      case 'bind':
        return this.extended.bind(message);
      case 'describe':
        return this.extended.describe(message);
      case 'execute':
        return this.extended.execute(message);
      case 'close':
        return this.extended.close(message);
      case 'function-call':
        throw unsupported('Function calls of the protocol are not available.', 'Use SELECT.');
      case 'copy-data':
      case 'copy-done':
      case 'copy-fail':
        // They may still arrive after a COPY that failed.
        return;
      default:
        throw new ProtocolError(`unexpected message: ${message.kind}`);
    }
  }

  private reportOf(error: unknown): server.Report {
    const report = reportOf(error);
    if (report !== null) return report;
    this.options.deps.log.error({ err: error }, 'a statement of a PostgreSQL session failed');
    return INTERNAL_ERROR;
  }

  private async end(report: server.Report): Promise<void> {
    this.options.sink.send(server.report({ ...report, severity: 'FATAL' }));
    await this.options.sink.flush();
  }
}

const DRAINED = new SessionError('57P01', 'terminating connection: the service is stopping', { severity: 'FATAL' })
  .report;
