import { type Me, SvcError } from '@svc/sdk';
import { CliError, EXIT } from '../../cli-error.ts';
import type { Setting } from '../../client/settings.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText } from '../../texts/token-columns.ts';

export default class AuthStatus extends SvcCommand<typeof AuthStatus> {
  static override summary = 'Show who you are signed in as and where each setting comes from';
  static override examples = ['svc auth status', 'svc --output json auth status'];

  async run(): Promise<void> {
    const { url, token, env, profile } = this.settings;
    const hidden: Setting = { ...token, value: token.value === undefined ? undefined : `${kindPrefix(token.value)}…` };
    const workload = token.value === undefined ? this.subjectTokens : undefined;
    if (workload !== undefined) hidden.source = workload.source;
    const signedIn = token.value === undefined && workload === undefined ? null : await this.#me();
    const me = signedIn instanceof SvcError ? null : signedIn;
    this.record({ url, token: hidden, env, profile, signed_in: me !== null, me }, [
      ['address', from(url)],
      ['token', from(hidden)],
      ['environment', from(env)],
      ['profile', from(profile)],
      ['signed in as', me === null ? 'nobody' : `${me.name} (${me.type})`],
      ['token expires', me === null ? '-' : (me.token.expires_at ?? 'never')],
      ['token scope', me === null ? '-' : scopeText(me.token)],
    ]);
    if (signedIn instanceof SvcError) throw signedIn;
    if (me === null) throw new CliError('You are not signed in.', EXIT.notAllowed, 'svc login');
  }

  #me(): Promise<Me | SvcError> {
    return this.client.access.me().catch((error: unknown) => {
      if (error instanceof SvcError) return error;
      throw error;
    });
  }
}

/** The prefix that identifies the kind of a token; empty for tokens of another form. */
const kindPrefix = (token: string) => /^svc_[a-z]+_/.exec(token)?.[0] ?? '';

const from = ({ value, source }: Setting) => (value === undefined ? `- (${source})` : `${value} (${source})`);
