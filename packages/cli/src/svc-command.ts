import type { Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import {
  encryptedOnly,
  requireEncryption,
  type SubjectTokens,
  SvcClient,
  subjectTokensOf,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from '@svc/sdk';
import { globalFlags, type OutputFormat } from './arguments/global-flags.ts';
import type { IdKind } from './arguments/resolve-id.ts';
import { usageError } from './cli-error.ts';
import { readSettings, type Settings } from './client/settings.ts';
import { plainTransport } from './client/transport.ts';
import type { SvcConfig } from './oclif/svc-config.ts';
import { escaped, escapedLines, jsonText } from './output/escape.ts';
import type { FetchPage, ListFlags } from './output/paged-list.ts';
import type { TableColumn } from './output/table.ts';
import { type Io, usesStyles, widthOf } from './terminal/io.ts';

/** An option of the command replaces the global one of the same name. */
export type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<
  Omit<typeof globalFlags, keyof T['flags']> & T['flags']
>;
export type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>;

/** Fields of a record as text output shows them, in this order. */
export type Fields = readonly (readonly [label: string, value: FieldValue])[];
/** A list has one line per entry. */
type FieldValue = string | readonly string[] | null | undefined;

/** The parts of a command that shared code uses. */
export type CommandContext = Pick<
  SvcCommand<typeof Command>,
  | 'client'
  | 'commandLine'
  | 'environment'
  | 'io'
  | 'json'
  | 'outputFormat'
  | 'print'
  | 'printJson'
  | 'note'
  | 'done'
  | 'list'
>;

/** Base class of all commands: settings, the client, and output as text or JSON. */
export abstract class SvcCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags;

  flags!: FlagsOf<T>;
  args!: ArgsOf<T>;
  settings!: Settings;
  #client: SvcClient | undefined;
  /** When the token expires, if the service has warned of it. */
  #expiresAt: string | null = null;

  /** Runs the command with the loaded configuration. oclif's own method would load another one without the input and output. */
  static override run(argv?: string[], config?: unknown): Promise<never> {
    // biome-ignore lint/complexity/noThisInStatic: the class of the command, not this base class
    const Class = this as unknown as new (argv: string[], config: SvcConfig) => SvcCommand<typeof Command>;
    return new Class(argv ?? [], config as SvcConfig)._run();
  }

  abstract override run(): Promise<void>;

  get io(): Io {
    return (this.config as SvcConfig).io;
  }

  protected override async init(): Promise<void> {
    await super.init();
    if ('since' in (this.ctor.flags ?? {})) {
      const { resolveSince } = await import('./arguments/time.ts');
      this.argv = resolveSince(this.argv, this.io.now());
    }
    const { args, flags } = await this.parse(this.ctor);
    this.args = args as ArgsOf<T>;
    this.flags = flags as FlagsOf<T>;
    if (this.json && 'columns' in flags) throw usageError('--columns is for text output: JSON has all fields.');
    const value = flags as {
      profile?: string;
      url?: string;
      'service-url'?: string;
      env?: string;
      'allow-insecure'?: boolean;
    };
    // The URL of an index or a repository is not the address of the service.
    const url = value['service-url'] ?? ('url' in (this.ctor.flags ?? {}) ? undefined : value.url);
    const { profile, env, 'allow-insecure': allowInsecure } = value;
    this.settings = await readSettings(this.io, { profile, url, env, allowInsecure });
  }

  /** Errors are reported in one place, in main. */
  protected override async catch(error: Error): Promise<never> {
    (this.config as SvcConfig).failed = this.ctor;
    throw error;
  }

  get client(): SvcClient {
    const { url, token } = this.settings;
    this.#client ??= this.createClient(url.value, token.value, this.subjectTokens);
    return this.#client;
  }

  /** Where the token of this CI job or pod comes from, which counts if there is no other token. */
  get subjectTokens(): SubjectTokens | undefined {
    return subjectTokensOf(this.io.env, plainTransport);
  }

  /** A client for this address, not signed in if there is no token. */
  createClient(url: string | undefined, token: string | undefined, subjectTokens?: SubjectTokens): SvcClient {
    return new SvcClient({ url, token: token ?? '', subjectTokens, transport: this.#transport(token) });
  }

  #transport(token: string | undefined): Transport {
    const transport: Transport = async (url, request) => {
      const response = await this.#send(url, request, token);
      this.#expiresAt ??= response.headers.get('svc-token-expires');
      return response;
    };
    return this.settings.allowInsecure ? transport : encryptedOnly(transport);
  }

  async #send(url: string, request: TransportRequest, token: string | undefined): Promise<TransportAnswer> {
    if (!(this.flags as { debug?: boolean }).debug) return plainTransport(url, request);
    const { sendAndPrint } = await import('./client/print-request.ts');
    return sendAndPrint(url, request, { io: this.io, token });
  }

  /** Warns of a token that expires soon, after the output of the command. */
  protected override async finally(error: Error | undefined): Promise<void> {
    await super.finally(error);
    if (this.#expiresAt === null || this.json || !this.io.interactive) return;
    const { warnOfExpiry } = await import('./client/expiry-warning.ts');
    await warnOfExpiry(this.io, { expiresAt: this.#expiresAt, profile: this.settings.profile.value ?? 'default' });
  }

  /** Checks before a prompt that what is entered there can be sent. @throws SvcError if it would be sent unencrypted */
  requireEncryption(url: string | undefined): void {
    if (!this.settings.allowInsecure && url !== undefined && URL.canParse(url)) requireEncryption(url);
  }

  /** The format of the output. If the command has its own `--format`, only `json` counts. */
  get outputFormat(): OutputFormat {
    const { output, json, format } = this.flags as { output: OutputFormat; json?: boolean; format?: OutputFormat };
    if (json || format === 'json') return 'json';
    return format === undefined || 'format' in (this.ctor.flags ?? {}) ? output : format;
  }

  /** Whether the output is for programs: `json` or `ndjson`. */
  get json(): boolean {
    return this.outputFormat !== 'text';
  }

  /** The words of the command and its arguments, without the name of the program. */
  get commandLine(): string[] {
    return [...this.ctor.id.split(' '), ...this.argv];
  }

  /** The selected environment. @throws CliError if it is missing */
  get environment(): string {
    const { value } = this.settings.env;
    if (value === undefined) {
      throw usageError('No environment is set. Add --env ENV, or set SVC_ENV.', 'svc env list');
    }
    return value;
  }

  /** The id for an argument that may be short or `latest`. @throws CliError if no id or several ids match */
  async fullId(kind: IdKind, text: string, repository?: string): Promise<string> {
    if (/^[0-9a-f-]{36}$/i.test(text)) return text;
    const { resolveId } = await import('./arguments/resolve-id.ts');
    return resolveId(kind, text, { client: this.client, environment: () => this.environment, repository });
  }

  /** Prints lines of data, without control characters that may come from the service. */
  print(text: string): void {
    this.io.stdout(`${escapedLines(text)}\n`);
  }

  /** Prints a value as JSON; as `ndjson`, on one line, or one line per item of a list. */
  printJson(value: unknown): void {
    if (this.outputFormat === 'ndjson') {
      for (const one of Array.isArray(value) ? value : [value]) this.print(jsonText(one, 0));
    } else this.print(jsonText(value));
  }

  /** Prints lines on standard error, separate from the data. */
  note(text: string): void {
    this.io.stderr(`${escapedLines(text)}\n`);
  }

  /** Prints the whole response with `--output json`, otherwise the sentence. */
  done(body: unknown, sentence: string): void {
    if (this.json) this.printJson(body ?? {});
    else this.print(escaped(sentence));
  }

  /** Prints the whole response with `--output json`, otherwise one line per field. */
  record(body: unknown, fields: Fields): void {
    if (this.json) {
      this.printJson(body);
      return;
    }
    const width = Math.max(...fields.map(([label]) => label.length)) + 2;
    for (const [label, value] of fields) {
      const [first = '-', ...more] = (typeof value === 'string' ? [value] : (value ?? [])).map(escaped);
      this.print(`${`${label}:`.padEnd(width)}${first}`);
      for (const line of more) this.print(`${' '.repeat(width)}${line}`);
    }
  }

  /** Prints the plain list with `--output json`, otherwise a table that fits the terminal. */
  async list<R>(rows: readonly R[], columns: readonly TableColumn<R>[], nothing: string): Promise<void> {
    if (this.json) return this.printJson(rows);
    const shown = await this.#chosenColumns(columns);
    if (rows.length === 0) return this.note(nothing);
    const { renderTable } = await import('./output/table.ts');
    const width = widthOf(this.io);
    const styled = usesStyles(this.io);
    const { text, hidden } = renderTable(shown, rows, width, styled);
    const [head, ...body] = text.split('\n');
    // The cells are escaped; the styles are control characters.
    this.io.stdout(`${[styled ? `\u001b[1m${head}\u001b[22m` : head, ...body].join('\n')}\n`);
    if (hidden.length === 0) return;
    const option = 'columns' in (this.ctor.flags ?? {}) ? '--columns' : '--output json';
    this.note(`Columns hidden at ${width} characters: ${hidden.join(', ')} (widen the terminal or use ${option})`);
  }

  async #chosenColumns<R>(columns: readonly TableColumn<R>[]): Promise<readonly TableColumn<R>[]> {
    const { columns: names } = this.flags as { columns?: string };
    if (names === undefined) return columns;
    const { chooseColumns } = await import('./output/choose-columns.ts');
    return chooseColumns(columns, names);
  }

  /** Prints a list of the service: one page or, with `--watch`, a page repeatedly. Returns the rows that text shows. */
  async pagedList<R>(
    fetchPage: FetchPage<R>,
    columns: readonly TableColumn<R>[],
    nothing: string,
  ): Promise<readonly R[]> {
    const { printPagedList } = await import('./output/paged-list.ts');
    return printPagedList(this, this.flags as ListFlags, { fetchPage, columns, nothing });
  }

  /** Prompts before a destructive change. @throws CliError if the answer is no, or if there is no terminal and no `--yes` */
  async confirm(question: string): Promise<void> {
    if ((this.flags as { yes?: boolean }).yes) return;
    if (!this.io.interactive) throw usageError(`${question} Add --yes to confirm: there is no terminal to prompt on.`);
    if (!(await this.io.prompt.confirm(question))) throw usageError('Nothing was changed.');
  }
}
