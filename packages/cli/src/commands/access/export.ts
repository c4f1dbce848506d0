import { SvcCommand } from '../../svc-command.ts';

export default class AccessExport extends SvcCommand<typeof AccessExport> {
  static override summary = 'Print all groups and active grants as a file for svc access apply';
  static override examples = ['svc access export > access.yaml'];

  async run(): Promise<void> {
    const [{ accessFileText }, { readAccess }] = await Promise.all([
      import('@svc/core/access-file'),
      import('../../access-file/current-access.ts'),
    ]);
    const access = await readAccess(this.client);
    if (this.json) this.printJson({ groups: Object.fromEntries(access.groups), grants: access.grants });
    else this.io.stdout(accessFileText(access));
  }
}
