import { boolean } from '@oclif/core/flags';
import type { AuditSignedHead } from '@svc/sdk';
import { sinceFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { workError } from '../../cli-error.ts';
import { jsonText } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class AuditExport extends SvcCommand<typeof AuditExport> {
  static override summary = 'Export the audit log as JSON lines, oldest first';
  static override examples = [
    'svc audit export --since 2026-03-01 > events.ndjson',
    'svc audit export --heads > audit-march.jsonl',
  ];
  static override flags = {
    ...sinceFlag('start, inclusive'),
    heads: boolean({ description: 'add a last line {"signed_head": …} for svc audit verify --head' }),
  };

  async run(): Promise<void> {
    const since = parseTime('since', this.flags.since);
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
    if (head === undefined) throw workError('The export stopped before its last line. Run it again.');
    if (head === null)
      throw workError(
        'The audit log has no sealed events yet, or its head has no valid signature.',
        'svc audit verify',
      );
  }
}

async function* lines(records: AsyncIterable<unknown>, last: () => unknown[] = () => []): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.from(`${jsonText(record, 0)}\n`);
  for (const record of last()) yield Buffer.from(`${jsonText(record, 0)}\n`);
}
