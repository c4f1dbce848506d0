import { DEFAULT_PROFILE, SvcError } from '@svc/sdk';
import { readProfiles, saveProfile } from '../client/profiles.ts';
import { SvcCommand } from '../svc-command.ts';

/** What happened to the token at the service: a session is revoked, but other tokens may be in use on other machines. */
type Revocation = { revoked: boolean; note?: string };

export default class Logout extends SvcCommand<typeof Logout> {
  static override summary = 'Sign out: remove the token from a profile and end its session';
  static override examples = ['svc logout', 'svc logout --profile work'];

  async run(): Promise<void> {
    const profile = this.settings.profile.value ?? DEFAULT_PROFILE;
    const { token, ...rest } = readProfiles(this.io)[profile] ?? {};
    if (token === undefined) {
      this.done({ profile, revoked: false }, `The profile ${profile} has no token.`);
    } else {
      const { revoked, note } = await this.#revoke(rest.url ?? this.settings.url.value, token);
      await saveProfile(this.io, profile, rest);
      const sentence = revoked
        ? `Signed out. The session is revoked, and the profile ${profile} no longer has a token.`
        : `Signed out. The profile ${profile} no longer has a token.`;
      this.done({ profile, revoked }, sentence);
      if (note) this.note(note);
    }
    if (this.io.env.SVC_TOKEN) this.note('Note: SVC_TOKEN is set and still used. Unset it to sign out completely.');
  }

  /** Sends the token only to the address that was stored with it. */
  async #revoke(url: string | undefined, token: string): Promise<Revocation> {
    try {
      const client = this.createClient(url, token);
      const { token: current } = await client.access.me();
      if (current.kind !== 'session') {
        return {
          revoked: false,
          note: `The token "${current.name}" still works. To revoke it: svc token revoke ${current.id}`,
        };
      }
      await client.tokens.revoke(current.id);
      return { revoked: true };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      // The token is already invalid.
      if (error.status === 401) return { revoked: false };
      return {
        revoked: false,
        note: `The token was not revoked at ${url} and works until it expires: ${error.message}`,
      };
    }
  }
}
