import { string } from '@oclif/core/flags';
import type { AuditVerification } from '@svc/sdk';
import { readSavedHead } from '../../arguments/saved-head.ts';
import { workError } from '../../cli-error.ts';
import { count, time, yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

function signedText({ signed_head: head }: AuditVerification): string {
  if (head === null) return 'no';
  const { sequence, time: at } = head.signed_since;
  return `to event ${head.sequence} with key ${head.key_id}, since event ${sequence} (${time(at)})`;
}

const SIGNATURES = {
  valid: 'its signature is valid',
  invalid: 'its signature is invalid',
  'unknown-key': "compared by hash: the service doesn't have the key of its signature",
  none: 'compared by hash: it has no signature',
};

function savedText({ former_head: head }: AuditVerification): string | null {
  if (head === null) return null;
  return `event ${head.sequence} is ${head.contained ? '' : 'not '}in the log; ${SIGNATURES[head.signature]}`;
}

export default class AuditVerify extends SvcCommand<typeof AuditVerify> {
  static override summary = 'Verify that the sealed audit log is complete and unchanged';
  static override examples = ['svc audit verify', 'svc audit verify --head audit-march.jsonl'];
  static override description =
    'Verifies the chain of hashes and the signature of the head. With --head, the log must also contain the saved head, which proves the whole log up to it. The exit code is 1 if the log is not intact.';
  static override flags = {
    head: string({
      description: 'file with a saved head, from svc audit export --heads or svc audit verify --output json',
      helpValue: 'FILE',
    }),
  };

  async run(): Promise<void> {
    const saved = this.flags.head;
    const found = await this.client.audit.verify(saved === undefined ? {} : { head: await readSavedHead(saved) });
    const savedHead = found.former_head === undefined ? null : savedText(found);
    this.record(found, [
      ['intact', yesNo(found.intact)],
      ['sealed', count(found.sealed)],
      ['not yet sealed', count(found.unsealed)],
      ['head', found.head === null ? null : `${found.head.sequence} ${found.head.hash}`],
      ['signed', found.signed_head === undefined ? 'no' : signedText(found)],
      ...(savedHead === null ? [] : [['saved head', savedHead] as const]),
    ]);
    if (!found.intact) throw workError(found.problem?.detail ?? 'The audit log is not intact.');
  }
}
