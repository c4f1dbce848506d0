import { SvcError } from '@svc/sdk';
import { readProfiles, saveProfile } from '../client/profiles.ts';
import { DEFAULT_PROFILE } from '../client/settings.ts';
import { SvcCommand } from '../command.ts';

/** What became of the token at the service: a session ends, any other goes on for who else holds it. */
type Ended = { revoked: boolean; note?: string };

export default class Logout extends SvcCommand<typeof Logout> {
  static override summary = 'Forget the token of a profile, and end the session behind it';
  static override examples = ['svc logout', 'svc logout --profile work'];

  async run(): Promise<void> {
    const profile = this.settings.profile.value ?? DEFAULT_PROFILE;
    const { token, ...rest } = (await readProfiles(this.io))[profile] ?? {};
    if (token === undefined) {
      this.done({ profile, revoked: false }, `The profile ${profile} keeps no token.`);
    } else {
      const { revoked, note } = await this.#end(rest.url ?? this.settings.url.value, token);
      await saveProfile(this.io, profile, rest);
      const sentence = revoked
        ? `Signed out: the session is over, and the profile ${profile} keeps no token.`
        : `Signed out: the profile ${profile} keeps no token.`;
      this.done({ profile, revoked }, sentence);
      if (note) this.note(note);
    }
    if (this.io.env.SVC_TOKEN) this.note('Note: SVC_TOKEN is set and goes on to be used. Unset it to be signed out.');
  }

  /** The token goes to the address that it was kept with, and nowhere else. */
  async #end(url: string | undefined, token: string): Promise<Ended> {
    try {
      const client = this.clientOf(url, token);
      const { token: kept } = await client.access.me();
      if (kept.kind !== 'session') {
        return { revoked: false, note: `The token "${kept.name}" itself still works: svc token revoke ${kept.id}` };
      }
      await client.tokens.revoke(kept.id);
      return { revoked: true };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      // A token that is not taken any more is what was wanted.
      if (error.status === 401) return { revoked: false };
      return {
        revoked: false,
        note: `The token was not ended at ${url} and works until its time is over: ${error.message}`,
      };
    }
  }
}
