import { readFileSync } from 'node:fs';
import type { AnyEndpoint } from '@svc/core/contract';
import { endpoints } from '@svc/core/routes';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { COMMAND_IDS, loadCommand } from '../oclif/plugin.ts';
import { splitCommandLine } from '../testing/command-lines.ts';
import { svc } from '../testing/run-svc.ts';

const vectors = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/${name}.json`, import.meta.url), 'utf8')) as T;
const records = vectors<Record<string, unknown>>('records');

interface Call {
  route: string;
  answer: { status: number; record?: string; records?: string[]; lines?: boolean; bytes?: string };
}

/** Clears the screen in two ways, reverses the text and overwrites the line. */
const POISON = '\u001b[2J\u009b2J\u202e\u200f\u061c\ufeff\rfake';
/** What must not reach a terminal. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** With another value of these, commands would wait for the end of the work. */
const UNCHANGED = ['status', 'kind', 'id', 'url'];

function poisoned(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return UNCHANGED.includes(key) ? value : value + POISON;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one, name)]));
}

const groups = endpoints as unknown as Record<string, Record<string, AnyEndpoint>>;
const answers = vectors<Call[]>('calls').map(({ route, answer }) => {
  const [group, name] = route.split('.') as [string, string];
  const { method, path } = groups[group]![name]!;
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const listed = answer.records?.map((name) => poisoned(records[name]));
  const body = answer.record === undefined ? listed : poisoned(records[answer.record]);
  const text = answer.lines ? listed!.map((one) => `${JSON.stringify(one)}\n`).join('') : body;
  return { method, pattern, status: answer.status, body: text ?? answer.bytes };
});

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(({ method, url }) => {
    const { pathname } = new URL(url, 'http://x');
    const found = answers.find((one) => one.method === method && one.pattern.test(pathname));
    // node:http refuses to send other control characters.
    const headers = { 'X-Next-Cursor': 'next\u009b2J' };
    if (found === undefined) return { status: 404, body: { detail: POISON, remedy: POISON }, headers };
    return { status: found.status, body: found.body, headers };
  });
});
afterAll(() => service.close());

/** They need files or a person, or write files. */
const LEFT_OUT =
  /^(?:init|deploy|dev|login|logout|completion|__complete)\b|--file|--watch|--follow|--all|@|\.(?:csv|ya?ml|parquet|sql)\b/;
const commandLines: string[] = [];
for (const id of COMMAND_IDS) {
  const { examples = [] } = await loadCommand(id);
  for (const example of examples) {
    const line = String(example).replace(/^svc /, '');
    if (!LEFT_OUT.test(line)) commandLines.push(line);
  }
}

test.each(commandLines)('svc %s prints no control characters of a hostile service (CLI-6)', async (line) => {
  for (const format of ['text', 'json']) {
    const argv = ['--output', format, ...splitCommandLine(line)];
    const env = { SVC_ENV: 'dev', NO_COLOR: '1' };
    const { stdout, stderr } = await svc(argv, {
      url: service.url,
      env,
      confirms: true,
      stdin: `{"a":"b"}`,
      terminal: true,
    });
    expect(`${stdout}${stderr}`).not.toMatch(RAW);
  }
});

test.each([
  ['on a terminal', true, '"a\\u001b[2J",b\n1,2\n'],
  ['to a program', false, '"a\u001b[2J",b\r\n1,2\r\n'],
])('a CSV result %s is printed for it (CLI-6)', async (_, terminal, expected) => {
  const csv = await startService(({ url }) =>
    url.includes('/results')
      ? { body: '"a\u001b[2J",b\r\n1,2\r\n' }
      : { body: { ...(records['Query'] as object), status: 'SUCCEEDED' } },
  );
  const argv = ['query', 'results', '01997c2e-7b7a-7c1e-8000-000000000001', '--env', 'dev', '--format', 'csv'];
  const { stdout } = await svc(argv, { url: csv.url, terminal });
  await csv.close();
  expect(stdout).toBe(expected);
});
