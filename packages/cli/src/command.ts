import type { Interfaces } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { parse } from '@oclif/core/parser';
import { type Page, SvcClient } from '@svc/sdk';
import { isReadByOthers, plainHttpWarning } from './client/plain-http.ts';
import { readSettings, type Settings } from './client/settings.ts';
import { plainTransport } from './client/transport.ts';
import { usage } from './exit.ts';
import { escaped, jsonText } from './output/escape.ts';
import { commandLine } from './output/quote.ts';
import type { TableColumn } from './output/table.ts';
import { colourful, type Io, widthOf } from './terminal/io.ts';

export type FlagsOf<T extends typeof Declared> = Interfaces.InferredFlags<typeof globalFlags & T['flags']>;
export type ArgsOf<T extends typeof Declared> = Interfaces.InferredArgs<T['args']>;

/** What a command says of itself. Not oclif's own class: that loads a system of plugins, help and spinners. */
export abstract class Declared {
  /** Its words, set by who found it. */
  static id = '';
  static summary = '';
  static description: string | undefined;
  static examples: string[] = [];
  static args: Interfaces.ArgInput = {};
  static flags: Interfaces.FlagInput = {};

  readonly argv: string[];

  constructor(argv: string[]) {
    this.argv = argv;
  }
}

/** Fields of a record as text output shows them, in this order. */
export type Fields = readonly (readonly [label: string, value: FieldValue])[];
/** A list stands on a line each, below one another. */
type FieldValue = string | readonly string[] | null | undefined;

/** What code shared by commands needs of the one it works for. */
export type Working = Pick<
  SvcCommand<typeof Declared>,
  'client' | 'environment' | 'io' | 'json' | 'print' | 'note' | 'done' | 'list'
>;

/** Options of every command. */
export const globalFlags = {
  output: string({
    char: 'o',
    description: 'text for people or json for programs',
    options: ['text', 'json'],
    default: 'text',
    helpValue: 'FORMAT',
    helpGroup: 'GLOBAL',
  }),
  url: string({
    description: 'address of the service (else SVC_URL, else the profile)',
    helpValue: 'URL',
    helpGroup: 'GLOBAL',
  }),
  'service-url': string({
    description: 'the same, where the command has a --url of its own (as --url before the command)',
    helpValue: 'URL',
    helpGroup: 'GLOBAL',
    hidden: true,
  }),
  profile: string({
    description: 'the saved sign-in to use (else SVC_PROFILE)',
    helpValue: 'NAME',
    helpGroup: 'GLOBAL',
  }),
};

/** What every command has: settings, the client, and output as text or JSON. */
export abstract class SvcCommand<T extends typeof Declared> extends Declared {
  static baseFlags = globalFlags;

  flags!: FlagsOf<T>;
  args!: ArgsOf<T>;
  io!: Io;
  settings!: Settings;
  #client: SvcClient | undefined;
  #warned = false;

  /** What the command does, once its words and options are read. */
  abstract run(): Promise<void>;

  /** Runs the command on this input and output. Errors are told in one place, in main. */
  async execute(io: Io): Promise<void> {
    this.io = io;
    await this.#read();
    await this.run();
  }

  get #declared(): typeof Declared {
    return this.constructor as typeof Declared;
  }

  get id(): string {
    return this.#declared.id;
  }

  async #read(): Promise<void> {
    const { args, flags } = await parse(this.argv, {
      args: this.#declared.args,
      // An option of the command goes before a global one of that name: an index's URL is no address of a service.
      flags: { ...SvcCommand.baseFlags, ...this.#declared.flags },
      strict: true,
    });
    this.args = args as ArgsOf<T>;
    this.flags = flags as FlagsOf<T>;
    const given = flags as { profile?: string; url?: string; 'service-url'?: string; env?: string };
    const url = given['service-url'] ?? ('url' in this.#declared.flags ? undefined : given.url);
    this.settings = await readSettings(this.io, { profile: given.profile, url, env: given.env });
  }

  get client(): SvcClient {
    const { url, token } = this.settings;
    this.#client ??= this.clientOf(url.value, token.value);
    return this.#client;
  }

  /** A client of that address; without a token nobody's. */
  clientOf(url: string | undefined, token: string | undefined): SvcClient {
    if (token !== undefined) this.warnOfPlainHttp(url, 'token');
    return new SvcClient({ url, token: token ?? '', transport: plainTransport });
  }

  /** Says once what is sent so that others can read it. */
  warnOfPlainHttp(url: string | undefined, what: 'token' | 'password'): void {
    if (this.#warned || !isReadByOthers(url)) return;
    this.#warned = true;
    this.note(plainHttpWarning(url!, what));
  }

  get json(): boolean {
    return (this.flags as { output?: string }).output === 'json';
  }

  /** The environment asked for. @throws Failed when none is named */
  get environment(): string {
    const { value } = this.settings.env;
    if (value === undefined) {
      throw usage('No environment is named. Add --env ENV, or set SVC_ENV.', 'svc env list');
    }
    return value;
  }

  /** A line of data. */
  print(text: string): void {
    this.io.stdout(`${text}\n`);
  }

  /** A line beside the data. */
  note(text: string): void {
    this.io.stderr(`${text}\n`);
  }

  /** The whole body with `--output json`, else the sentence. */
  done(body: unknown, sentence: string): void {
    if (this.json) this.print(jsonText(body ?? {}));
    else this.print(escaped(sentence));
  }

  /** The whole body with `--output json`, else its fields, a line each. */
  record(body: unknown, fields: Fields): void {
    if (this.json) {
      this.print(jsonText(body));
      return;
    }
    const width = Math.max(...fields.map(([label]) => label.length)) + 2;
    for (const [label, value] of fields) {
      const [first = '-', ...more] = (typeof value === 'string' ? [value] : (value ?? [])).map(escaped);
      this.print(`${`${label}:`.padEnd(width)}${first}`);
      for (const line of more) this.print(`${' '.repeat(width)}${line}`);
    }
  }

  /** The plain list with `--output json`, else a table as wide as the terminal. */
  async list<R>(rows: readonly R[], columns: readonly TableColumn<R>[], nothing: string): Promise<void> {
    if (this.json) return this.print(jsonText(rows));
    if (rows.length === 0) return this.note(nothing);
    const { renderTable } = await import('./output/table.ts');
    const width = widthOf(this.io);
    const { text, hidden } = renderTable(columns, rows, width);
    const [head, ...body] = text.split('\n');
    this.print([colourful(this.io) ? `\u001b[1m${head}\u001b[22m` : head, ...body].join('\n'));
    if (hidden.length === 0) return;
    this.note(`Left out for want of width (${width}): ${hidden.join(', ')}. Widen the window, or use --output json.`);
  }

  /** A page of a list and, when there is more, the command for the next (specification 4.3). */
  async page<R>(page: Page<R>, columns: readonly TableColumn<R>[], nothing: string): Promise<void> {
    await this.list(page.items, columns, nothing);
    if (page.next_cursor === null) return;
    const global = this.json ? ['--output', 'json'] : [];
    const words = ['svc', ...global, ...this.id.split(' '), ...filtersOf(this.argv)];
    words.push('--cursor', page.next_cursor);
    const line = `More results: ${commandLine(words)}`;
    if (this.json) this.note(line);
    else this.print(line);
  }

  /** The page that `look` finds, with `--watch` again and again (specification 4.3). */
  async pageOf<R>(
    look: (call: { signal?: AbortSignal }) => Promise<Page<R>>,
    columns: readonly TableColumn<R>[],
    nothing: string,
  ): Promise<void> {
    const show = (page: Page<R>) => this.page(page, columns, nothing);
    if (!(this.flags as { watch?: boolean }).watch) return show(await look({}));
    const { watchPage } = await import('./terminal/watch.ts');
    await watchPage(this.io, (signal) => look({ signal }), show);
  }

  /** Asks before something is taken away. @throws Failed without `--yes` where nobody can be asked, or on a no */
  async confirm(question: string): Promise<void> {
    if ((this.flags as { yes?: boolean }).yes) return;
    if (!this.io.interactive) throw usage(`${question} Add --yes: there is no terminal to ask on.`);
    if (!(await this.io.ask.confirm(question))) throw usage('Nothing was changed.');
  }
}

/** The words that a next page repeats; a later page is not watched, because its moment is fixed. */
function filtersOf(argv: readonly string[]): string[] {
  const left = /^(--cursor|--output|-o)$/;
  const whole = /^(--cursor=|--output=|-o.|--watch$|-w$)/;
  return argv.filter((word, i) => !left.test(word) && !left.test(argv[i - 1] ?? '') && !whole.test(word));
}
