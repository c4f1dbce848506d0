import { string } from '@oclif/core/flags';
import { timeOf } from '../../arguments/since.ts';
import { SvcCommand } from '../../command.ts';

export default class AuditExport extends SvcCommand<typeof AuditExport> {
  static override summary = 'Write the audit log as JSON lines, oldest first';
  static override examples = ['svc audit export --since 2026-03-01 > events.ndjson'];
  static override flags = { since: string({ description: 'at or after', helpValue: 'TIME' }) };

  async run(): Promise<void> {
    const since = timeOf('since', this.flags.since);
    const events = this.client.audit.export({ since });
    await this.io.pipe(lines(events));
  }
}

async function* lines(events: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}
