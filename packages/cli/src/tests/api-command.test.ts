import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problem, type Reply, type ScriptedService, startService } from '@svc/sdk/testing';
import { type RunOptions, svc } from '../testing/run-svc.ts';

let service: ScriptedService;
let reply: Reply;
beforeAll(async () => {
  service = await startService(() => reply);
});
afterAll(() => service.close());
const call = (argv: string[], answer: Reply, options: RunOptions = {}) => {
  reply = answer;
  service.received.length = 0;
  return svc(['api', ...argv], { url: service.url, ...options });
};

describe('svc api (CLI-14)', () => {
  test('sends the request with the token and prints the response as it is', async () => {
    const outcome = await call(['get', 'environments', '--query', 'a=1', '-q', 'a=2', '-q', 'b=x=y'], { body: '[1]' });
    expect(outcome).toEqual({ code: 0, stdout: '[1]', stderr: '' });
    expect(service.received).toMatchObject([
      { method: 'GET', url: '/api/v1/environments?a=1&a=2&b=x%3Dy', headers: { authorization: 'Bearer test-token' } },
    ]);
  });

  test('prints JSON indented on a terminal and with --output json, and escapes other texts on a terminal', async () => {
    const indented = '{\n  "a": "\\u009b"\n}\n';
    expect((await call(['GET', 'x'], { body: '{"a":"\u009b"}' }, { terminal: true })).stdout).toBe(indented);
    expect((await call(['GET', 'x', '--json'], { body: '{"a":"\u009b"}' })).stdout).toBe(indented);
    expect((await call(['GET', 'x'], { body: 'a,b\n\u001b' }, { terminal: true })).stdout).toBe('a,b\n\\u001b\n');
    expect((await call(['GET', 'x', '-o', 'ndjson'], { body: '[1,2]' })).stdout).toBe('1\n2\n');
    expect((await call(['DELETE', 'x', '--json'], { status: 204 })).stdout).toBe('');
  });

  test('takes a body from the option, a file or standard input', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-api-'));
    const file = join(folder, 'body.json');
    await writeFile(file, '{"from": "file"}');
    await call(['POST', '/api/v1/x', '--body', '{"from": "option"}'], { status: 201, body: {} });
    expect(service.received[0]).toMatchObject({ method: 'POST', url: '/api/v1/x', body: '{"from": "option"}' });
    expect(service.received[0]!.headers['content-type']).toBe('application/json');
    await call(['PUT', 'x', '--body', `@${file}`], { body: {} });
    expect(service.received[0]!.body).toBe('{"from": "file"}');
    await call(['PATCH', 'x', '--body', '-'], { body: {} }, { stdin: '{"from": "stdin"}\n' });
    expect(service.received[0]!.body).toBe('{"from": "stdin"}');
    await rm(folder, { recursive: true });
  });

  test('changes a protected environment with the reason', async () => {
    const reason = ['--break-glass', '--reason', 'a typo'];
    await call(['PATCH', 'x', '--body', '{}', ...reason], { body: {} });
    expect(service.received[0]!.headers['svc-break-glass']).toBe('a%20typo');
    expect((await call(['PATCH', 'x', '--reason', 'a typo'], { body: {} })).code).toBe(2);
  });

  test('prints the command for the next page on standard error', async () => {
    const page = { body: [1], headers: { 'X-Next-Cursor': 'c2' } };
    const { stderr } = await call(['get', 'grants', '-q', 'limit=1', '-q', 'cursor=c1', '--json'], page);
    expect(stderr).toBe('More results: svc --output json api GET grants --query limit=1 --query cursor=c2\n');
  });

  test('reports errors of the service like other commands', async () => {
    const outcome = await call(['GET', 'x'], problem(404, 'not-found'));
    expect(outcome).toEqual({ code: 3, stdout: '', stderr: 'Error: Refused: not-found.\n' });
  });

  test.each([
    ['a method', ['FETCH', 'x'], 'Invalid method "FETCH"'],
    ['a body', ['POST', 'x', '--body', '{'], "The body isn't JSON"],
    ['a file', ['POST', 'x', '--body', '@nowhere.json'], "The file nowhere.json can't be read."],
    ['a parameter', ['GET', 'x', '--query', 'limit'], 'Invalid query parameter "limit"'],
  ])('rejects %s that is invalid, without a request', async (_, argv, message) => {
    expect(await call(argv, {})).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(service.received).toEqual([]);
  });

  test('never sends the token to another host', async () => {
    await call(['GET', '@example.com/'], { body: {} });
    await call(['GET', '//example.com/'], { body: {} });
    expect(service.received.map(({ url }) => url)).toEqual(['//example.com/']);
  });
});
