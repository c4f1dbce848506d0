import { readFile } from 'node:fs/promises';
import { string } from '@oclif/core/flags';
import { shellLine } from '@svc/core/command-lines';
import type { PathAnswer } from '@svc/sdk';
import { breakGlassFlags, breakGlassOption, requiredArg } from '../arguments/flags.ts';
import { usageError } from '../cli-error.ts';
import { escapedLines } from '../output/escape.ts';
import { SvcCommand } from '../svc-command.ts';
import { readStdin } from '../terminal/stdin.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export default class Api extends SvcCommand<typeof Api> {
  static override summary = 'Send a request to the REST interface and print the response';
  static override examples = [
    'svc api GET environments',
    'svc api GET /api/v1/audit-events --query event_type=SIGNED_IN --query limit=10',
    `svc api POST environments --body '{"name": "dev"}'`,
    'svc api PUT environments/dev/retention --body @retention.json',
  ];
  static override description =
    'The request has your token. The body of the response is printed as it arrives; on a terminal and with --output json, JSON is indented. If there are more rows, the command for the next page goes to standard error.';
  static override args = {
    method: requiredArg(`method: ${METHODS.join(', ')}`),
    path: requiredArg('path; without a leading / it is below /api/v1'),
  };
  static override flags = {
    body: string({ description: 'JSON to send; @FILE reads a file, - standard input', helpValue: 'JSON' }),
    query: string({
      char: 'q',
      description: 'query parameter',
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const method = this.args.method.toUpperCase();
    if (!METHODS.includes(method))
      throw usageError(`Invalid method "${this.args.method}". Use one of ${METHODS.join(', ')}.`);
    const query = (this.flags.query ?? []).map(parseParameter);
    const path = this.args.path.startsWith('/') ? this.args.path : `/api/v1/${this.args.path}`;
    const answer = await this.client.requestPath({
      ...{ method, path, query: grouped(query), body: await this.#body() },
      ...breakGlassOption(this.flags),
    });
    await this.#printBody(answer);
    if (answer.next_cursor === null) return;
    const next = [...query.filter(([name]) => name !== 'cursor'), ['cursor', answer.next_cursor]];
    const options = next.flatMap(([name, value]) => ['--query', `${name}=${value}`]);
    const global = this.json ? ['--output', this.outputFormat] : [];
    this.note(`More results: ${shellLine(['svc', ...global, 'api', method, this.args.path, ...options])}`);
  }

  async #body(): Promise<string | undefined> {
    const { body } = this.flags;
    if (body === undefined) return undefined;
    const text = body === '-' ? await readStdin(this.io) : body.startsWith('@') ? await readBody(body.slice(1)) : body;
    try {
      JSON.parse(text);
    } catch (error) {
      throw usageError(`The body isn't JSON: ${(error as Error).message}. Use --body JSON, --body @FILE or --body -.`);
    }
    return text;
  }

  async #printBody({ body }: PathAnswer): Promise<void> {
    if (!this.json && !this.io.terminal) return this.io.pipe(body);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    if (text === '') return;
    const value = parsed(text);
    if (value === undefined) this.print(escapedLines(text.trimEnd()));
    else this.printJson(value);
  }
}

async function readBody(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw usageError(`The file ${file} can't be read.`);
  });
}

function parseParameter(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw usageError(`Invalid query parameter "${text}". Use --query NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Values by name; a repeated name has several. */
function grouped(parameters: readonly [name: string, value: string][]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of parameters) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
