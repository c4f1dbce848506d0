import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalShow extends SvcCommand<typeof PrincipalShow> {
  static override summary = 'Show how a principal can sign in';
  static override examples = ['svc principal show ann'];
  static override args = { name: requiredArg('name of the principal') };

  async run(): Promise<void> {
    const methods = await this.client.principals.signInMethods(this.args.name);
    this.record(methods, [
      ['name', methods.principal],
      ['password', methods.password ? 'set' : 'none'],
      ['e-mail', methods.email],
      ['identities', methods.identities.map(({ provider, subject }) => `${provider}: ${subject}`)],
    ]);
  }
}
