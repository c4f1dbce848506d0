import type { WorkloadIdentity } from '@svc/sdk';
import { listFlags, requiredArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText } from '../../texts/token-columns.ts';

const COLUMNS: readonly TableColumn<WorkloadIdentity>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'subject', cell: ({ subject }) => subject },
  { header: 'issuer', cell: ({ issuer }) => issuer, hide: 5 },
  { header: 'audience', cell: ({ audience }) => audience, hide: 2 },
  {
    header: 'claims',
    cell: ({ claims }) =>
      Object.entries(claims)
        .map(([name, value]) => `${name}=${value}`)
        .join(', ') || '-',
    hide: 3,
  },
  { header: 'scope', cell: scopeText, hide: 4 },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 1 },
];

export default class WorkloadIdentityList extends SvcCommand<typeof WorkloadIdentityList> {
  static override summary = 'List the workloads that sign in as a service account';
  static override examples = ['svc workload-identity list ci'];
  static override args = { principal: requiredArg('service account') };
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { principal } = this.args;
    const identities = await this.client.workloadIdentities.list(principal);
    await this.list(identities, COLUMNS, `No workload signs in as ${principal}.`);
  }
}
