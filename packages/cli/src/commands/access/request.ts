import { string } from '@oclif/core/flags';
import { expiryFlags, parseExpiry } from '../../arguments/expiry.ts';
import { scopeFlags, scopeNames } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText } from '../../texts/grant-text.ts';

export default class AccessRequest extends SvcCommand<typeof AccessRequest> {
  static override summary = 'Request access for yourself. An administrator approves or rejects it';
  static override examples = [
    "svc access request --action READ_TABLE --env prod --ns sales --table orders --reason 'the report of the quarter'",
    'svc access request --role DATA_ENGINEER --env prod --expires-in 8h',
  ];
  static override flags = {
    role: string({ description: 'role to request', helpValue: 'ROLE', exclusive: ['action'] }),
    action: string({ description: 'single action to request', helpValue: 'ACTION' }),
    ...scopeFlags,
    reason: string({ description: 'what you need it for', helpValue: 'TEXT' }),
    ...expiryFlags,
  };

  async run(): Promise<void> {
    const { role, action, reason } = this.flags;
    if (role === undefined && action === undefined) throw usageError('Specify what to request: --role or --action.');
    const expires_at = parseExpiry(this.flags, this.io.now());
    const body = { role, action, ...scopeNames(this.flags), reason, expires_at };
    const request = await this.client.accessRequests.create(
      Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    );
    const what = `${request.role ?? request.action} on ${scopeText(request)}`;
    this.done(request, `Requested ${what} (${request.id}). An administrator decides about it.`);
  }
}
