import type { SessionOptions } from './session.ts';
import { unsupported } from './session-error.ts';
import type { StatementRunner } from './statement-runner.ts';

export class CopyStatements {
  constructor(_runner: StatementRunner, _options: SessionOptions) {}
  async run(_sql: string): Promise<void> {
    throw unsupported('COPY');
  }
}
