import { boolean, string } from '@oclif/core/flags';
import { SvcError } from '@svc/sdk';
import { CliError, EXIT, usageError } from '../cli-error.ts';
import { readProfiles, saveProfile } from '../client/profiles.ts';
import { allowsUnencrypted } from '../client/settings.ts';
import { escaped } from '../output/escape.ts';
import { time } from '../output/format.ts';
import { SvcCommand } from '../svc-command.ts';
import { answerOf } from '../terminal/second-factors.ts';
import { readStdin } from '../terminal/stdin.ts';

export default class Login extends SvcCommand<typeof Login> {
  static override summary = 'Sign in and store the token in a profile';
  static override examples = [
    'svc login',
    'svc login --url https://svc.example.com --with-token < token.txt',
    'svc login --url https://svc.example.com --profile work --env dev',
    'svc login --provider corp',
    'svc login --workload',
  ];
  static override flags = {
    'with-token': boolean({
      description: 'read a token from standard input',
      exclusive: ['name', 'password-stdin', 'provider', 'workload'],
    }),
    name: string({ description: 'name to sign in with', helpValue: 'NAME' }),
    provider: string({
      description: 'identity provider to sign in with, in a browser on any device',
      helpValue: 'NAME',
      exclusive: ['name', 'password-stdin', 'workload'],
    }),
    workload: boolean({
      description: 'sign in as a service account with the token of this CI job or pod, for an hour',
      exclusive: ['name', 'password-stdin'],
    }),
    principal: string({
      description: 'service account, if this CI job or pod may sign in as several',
      helpValue: 'NAME',
      dependsOn: ['workload'],
    }),
    code: string({
      description: 'code of an authenticator app, or a recovery code (default: prompts if it is needed)',
      helpValue: 'CODE',
      exclusive: ['with-token', 'provider', 'workload'],
    }),
    env: string({ char: 'e', description: 'default environment to store in the profile', helpValue: 'ENV' }),
    'password-stdin': boolean({ description: 'read the password from standard input', dependsOn: ['name'] }),
  };

  async run(): Promise<void> {
    const url = this.settings.url.value;
    this.requireEncryption(url);
    const token = this.flags['with-token'] ? await this.#tokenFromStdin() : await this.#signIn(url);
    const me = await this.createClient(url, token).access.me();
    const profile = this.settings.profile.value ?? 'default';
    const { allow_insecure: _, ...before } = readProfiles(this.io)[profile] ?? {};
    const insecure = this.flags['allow-insecure'] || allowsUnencrypted(readProfiles(this.io)[profile] ?? {}, url);
    const { env } = this.flags;
    const saved = {
      ...(url === undefined ? {} : { url }),
      token,
      ...(env === undefined ? {} : { env }),
      ...(insecure ? { allow_insecure: true } : {}),
    };
    await saveProfile(this.io, profile, { ...before, ...saved });
    this.done(
      { ...me, profile, url },
      `Signed in to ${url} as ${me.name}. The token is stored in the profile ${profile}.`,
    );
    if (this.io.env.SVC_TOKEN)
      this.note('Note: SVC_TOKEN is set and takes precedence over the profile. Unset it to use this sign-in.');
  }

  async #tokenFromStdin(): Promise<string> {
    const token = (await readStdin(this.io)).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    const found =
      token === '' ? 'There is no token on standard input.' : 'Standard input contains something other than one token.';
    throw usageError(`${found} Pass only the token.`, 'svc login --with-token < token.txt');
  }

  async #signIn(url: string | undefined): Promise<string> {
    const { io, flags } = this;
    if (flags.provider !== undefined) return this.#signInWith(flags.provider, url);
    if (flags.workload) return this.#exchange(url, flags.principal);
    if (!io.interactive && !flags['password-stdin']) {
      throw usageError('There is no terminal to prompt on. Pass a token on standard input.', 'svc login --with-token');
    }
    const name = flags.name ?? (await io.prompt.text('Name'));
    const password = flags['password-stdin'] ? await readStdin(io) : await io.prompt.password('Password');
    const { access } = this.createClient(url, undefined);
    try {
      return (await access.signIn(name, password)).token;
    } catch (error) {
      const factor = error instanceof SvcError ? error.secondFactor : undefined;
      if (factor === undefined) throw error;
      return (await access.completeSignIn(factor.challenge, answerOf(await this.#code(factor.methods)))).token;
    }
  }

  async #code(methods: readonly string[]): Promise<string> {
    const { code } = this.flags;
    if (code !== undefined) return code;
    if (!this.io.interactive)
      throw usageError('The sign-in needs a second factor. Pass its code, or use a token.', 'svc login --code CODE');
    const isKeyOnly = !methods.includes('code');
    if (isKeyOnly) this.note('Security keys work in the console only. Enter a recovery code, or use --with-token.');
    return this.io.prompt.text(isKeyOnly ? 'Recovery code' : 'Code of your authenticator app, or a recovery code');
  }

  async #exchange(url: string | undefined, principal: string | undefined): Promise<string> {
    const { subjectTokens } = this;
    if (subjectTokens === undefined) {
      throw usageError(
        'There is no token of a CI job or pod. In GitHub Actions, set the permission id-token: write. In other systems, set SVC_ID_TOKEN or SVC_IDENTITY_TOKEN_FILE.',
      );
    }
    const client = this.createClient(url, undefined);
    const token = await client.tokens.exchange(await subjectTokens.get(client.url), { principal });
    return token.access_token;
  }

  /** Shows the address and the code, on standard error, and waits until a person has used them. */
  async #signInWith(provider: string, url: string | undefined): Promise<string> {
    const { io } = this;
    const { access } = this.createClient(url, undefined);
    const { handle, user_code, verification_uri, verification_uri_complete, interval, expires_at } =
      await access.startDeviceSignIn(provider);
    this.note(escaped(`Open this page in a browser: ${verification_uri}`));
    this.note(escaped(`Enter this code there:       ${user_code}`));
    if (verification_uri_complete !== null)
      this.note(escaped(`Or open it with the code:    ${verification_uri_complete}`));
    this.note(`The code is valid until ${time(expires_at)}. Enter it only if you have started this sign-in yourself.`);
    const stop = new AbortController();
    const release = io.onInterrupt(() => stop.abort(new Error('interrupted')));
    try {
      for (let seconds = interval; ; ) {
        await io.pause(seconds * 1000, stop.signal);
        const { token, interval: next } = await access.pollDeviceSignIn(handle, { signal: stop.signal });
        if (token !== null) return token;
        seconds = next;
      }
    } catch (error) {
      if (stop.signal.aborted) throw new CliError('Not signed in.', EXIT.interrupted);
      throw error;
    } finally {
      release();
    }
  }
}
