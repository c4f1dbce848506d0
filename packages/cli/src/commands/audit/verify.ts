import { SvcCommand } from '../../command.ts';
import { workFailed } from '../../exit.ts';
import { count, yesNo } from '../../output/format.ts';

export default class AuditVerify extends SvcCommand<typeof AuditVerify> {
  static override summary = 'Prove that the sealed audit log is whole and unchanged';
  static override examples = ['svc audit verify'];
  static override description =
    'The head pins the whole log: note it elsewhere, and a later log that lacks it has been changed. Ends with 1 when the log is not intact.';

  async run(): Promise<void> {
    const found = await this.client.audit.verify();
    this.record(found, [
      ['intact', yesNo(found.intact)],
      ['sealed', count(found.sealed)],
      ['not yet sealed', count(found.unsealed)],
      ['head', found.head === null ? null : `${found.head.sequence} ${found.head.hash}`],
    ]);
    if (!found.intact) throw workFailed(found.problem?.detail ?? 'The audit log is not intact.');
  }
}
