import { boolean, string } from '@oclif/core/flags';
import type { AuditSignedHead } from '@svc/sdk';
import { timeOf } from '../../arguments/since.ts';
import { SvcCommand } from '../../command.ts';
import { workFailed } from '../../exit.ts';

export default class AuditExport extends SvcCommand<typeof AuditExport> {
  static override summary = 'Write the audit log as JSON lines, oldest first';
  static override examples = [
    'svc audit export --since 2026-03-01 > events.ndjson',
    'svc audit export --heads > audit-march.jsonl',
  ];
  static override flags = {
    since: string({ description: 'at or after', helpValue: 'TIME' }),
    heads: boolean({ description: 'end with a line {"signed_head": …}, for svc audit verify --head' }),
  };

  async run(): Promise<void> {
    const since = timeOf('since', this.flags.since);
    if (!this.flags.heads) return this.io.pipe(lines(this.client.audit.export({ since })));
    let head: AuditSignedHead | null | undefined;
    const events = this.client.audit.export({
      since,
      onHead: (signed) => {
        head = signed;
      },
    });
    const last = () => (head === undefined ? [] : [{ signed_head: head }]);
    await this.io.pipe(lines(events, last));
    if (head === undefined) throw workFailed('The export ended without its last line. Export again.');
    if (head === null)
      throw workFailed('Nothing is sealed yet, or the head has no valid signature.', 'svc audit verify');
  }
}

async function* lines(records: AsyncIterable<unknown>, last: () => unknown[] = () => []): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
  for (const record of last()) yield Buffer.from(`${JSON.stringify(record)}\n`);
}
