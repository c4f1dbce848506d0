import { string } from '@oclif/core/flags';
import { isLoopback } from '@svc/core/addresses';
import type { SqlEndpointStatus } from '@svc/sdk';
import { envFlag } from '../../arguments/flags.ts';
import { parseTimeFromNow } from '../../arguments/time.ts';
import { CliError, EXIT } from '../../cli-error.ts';
import { escaped, escapedLines } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { CONNECTION_FORMS, type ConnectionForm, connectionText, sslModeOf } from '../../texts/connection-text.ts';
import { storeTokenNote } from '../../texts/issued-token.ts';

type SqlAddress = NonNullable<SqlEndpointStatus['address']>;

export default class SqlConnect extends SvcCommand<typeof SqlConnect> {
  static override summary = 'Show how a PostgreSQL client, driver or BI tool connects to an environment';
  static override examples = [
    'svc sql connect --env dev',
    'svc sql connect --env dev --for jdbc',
    'svc sql connect --env dev --for env --issue-token notebook --expires-in 12h',
  ];
  static override flags = {
    ...envFlag,
    for: string({ description: 'what to print', options: CONNECTION_FORMS, default: 'psql' }),
    'issue-token': string({
      description: 'issue a token of yours with this name, and show it as the password',
      helpValue: 'NAME',
    }),
    'expires-in': string({
      description: 'duration until the token expires, such as 12h or 90d (default: never)',
      helpValue: 'DURATION',
      dependsOn: ['issue-token'],
    }),
  };

  async run(): Promise<void> {
    const name = this.flags['issue-token'];
    const expiresAt = parseTimeFromNow('expires-in', this.flags['expires-in'], this.io.now());
    const database = this.environment;
    const { host, port, tls } = await this.#address();
    const { name: user } = await this.client.access.me();
    const token = name === undefined ? null : await this.client.tokens.issue(user, name, { expires_at: expiresAt });
    const connection = { host, port, tls, user, database, password: token?.token ?? null };
    if (this.json) this.printJson({ host, port, user, database, sslmode: sslModeOf({ tls }), token });
    else this.print(escapedLines(connectionText(this.flags.for as ConnectionForm, connection)));
    this.note(
      token === null
        ? 'Password: a token of yours, or your password. --issue-token NAME issues a token for this connection.'
        : storeTokenNote(token),
    );
    this.#noteWhoCanConnect({ host, port, tls });
  }

  /** @throws CliError if the endpoint is off */
  async #address(): Promise<SqlAddress> {
    const { address } = await this.client.sqlEndpoint.get();
    if (address !== null) return address;
    const remedy = 'set SVC_SQL__LISTEN to a free address, such as 127.0.0.1:8471, and restart the service';
    throw new CliError(
      `The service doesn't accept PostgreSQL clients: the endpoint is off, or its address was not available; ${remedy}`,
      EXIT.unavailable,
      remedy,
    );
  }

  #noteWhoCanConnect({ host, tls }: SqlAddress): void {
    const service = new URL(this.client.url).hostname.replace(/^\[|\]$/g, '');
    const isLocal = isLoopback(host);
    if (isLocal ? isLoopback(service) : tls) return;
    const reason = isLocal ? `it listens on ${escaped(host)}` : 'it has no certificate';
    this.note(
      `Only programs on the machine of the service can connect: ${reason}. For others, set SVC_SQL__LISTEN, SVC_SQL__TLS_CERT and SVC_SQL__TLS_KEY.`,
    );
  }
}
