import { boolean } from '@oclif/core/flags';
import { NotFound } from '@svc/sdk';
import { optionalArg, yesFlag } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SessionRevoke extends SvcCommand<typeof SessionRevoke> {
  static override summary = 'Sign out one of your sessions, or all others';
  static override examples = [
    'svc session revoke 01997c2e-7b7a-7c1e-8000-000000000001 --yes',
    'svc session revoke --others',
  ];
  static override args = { id: optionalArg('id of the session') };
  static override flags = {
    others: boolean({ description: 'sign out all sessions except the one of this command' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { id } = this.args;
    if ((id === undefined) !== this.flags.others)
      throw usageError('Name a session, or use --others.', 'svc session list');
    const { name, token } = await this.client.access.me();
    const sessions = (await this.client.tokens.list(name)).filter(({ kind }) => kind === 'session');
    const chosen = sessions.filter((session) => (id === undefined ? session.id !== token.id : session.id === id));
    if (id !== undefined && chosen.length === 0) throw usageError(`You have no session ${id}.`, 'svc session list');
    const what = id === undefined ? plural(chosen.length, 'other session') : `the session ${id}`;
    if (chosen.length > 0) await this.confirm(`Sign out ${what}?`);
    for (const session of chosen) {
      // A session that no longer exists is signed out, too.
      await this.client.tokens.revoke(session.id).catch((error: unknown) => {
        if (id !== undefined || !(error instanceof NotFound)) throw error;
      });
    }
    this.done({ revoked: chosen.map((session) => session.id) }, `Signed out ${what}.`);
  }
}
