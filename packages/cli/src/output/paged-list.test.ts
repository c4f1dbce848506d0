import { type ScriptedService, startService } from '@svc/sdk/testing';
import { environment, query, run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const pages: Record<string, { ids: string[]; next?: string }> = {
  '': { ids: ['1', '2'], next: 'b' },
  b: { ids: ['3'], next: 'c' },
  c: { ids: ['4'] },
};

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname === '/api/v1/environments') return { body: [environment, environment] };
    const record = pathname.endsWith('/queries') ? query : run;
    if (pathname.endsWith('/runs/1')) return { body: run };
    const { ids, next } = pages[searchParams.get('cursor') ?? '']!;
    return { body: ids.map((id) => ({ ...record, id })), headers: next === undefined ? {} : { 'X-Next-Cursor': next } };
  });
});
afterAll(() => service.close());
const call = (...argv: string[]) => {
  service.received.length = 0;
  return svc(argv, { url: service.url });
};
const LIST = ['runs', 'list', '--env', 'prod', '--status', 'failed'];
const idsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);

describe('--all reads all pages (CLI-20)', () => {
  const textIds = (stdout: string) => stdout.split('\n').flatMap((line) => /^\d/.exec(line)?.[0] ?? []);

  test('and prints one table, or one JSON list', async () => {
    const text = await call(...LIST, '--all');
    expect(textIds(text.stdout)).toEqual(['1', '2', '3', '4']);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).not.toContain('More results');
    const json = await call(...LIST, '--all', '--json');
    expect((JSON.parse(json.stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(json.stderr).toBe('');
  });

  test('of --limit rows, from --cursor on', async () => {
    expect(textIds((await call(...LIST, '--all-pages', '--limit', '7', '--cursor', 'b')).stdout)).toEqual(['3', '4']);
    for (const { url } of service.received) expect(url).toContain('limit=7');
    expect(idsOf((await call(...LIST, '--all', '--limit', '7', '-o', 'ndjson')).stdout)).toHaveLength(4);
  });

  test('is --all-pages for queries, where --all includes finished ones (4.3)', async () => {
    const argv = ['query', 'list', '--env', 'prod'];
    const one = await call(...argv, '--all');
    expect(service.received.map(({ url }) => url)).toEqual([expect.stringContaining('include_ended=true')]);
    expect(one.stdout).toContain('More results: svc query list --env prod --all --cursor b\n');
    expect((await call(...argv, '--all-pages')).stdout).not.toContain('More results');
    for (const { url } of service.received) expect(url).not.toContain('include_ended');
    expect(service.received).toHaveLength(3);
  });

  test('is not for a watched list', async () => {
    for (const option of ['--all', '--all-pages'])
      expect(await call(...LIST, option, '--watch')).toMatchObject({ code: 2 });
    expect(await call('query', 'list', '--env', 'prod', '--all-pages', '-w')).toMatchObject({ code: 2 });
  });
});

describe('-o ndjson prints one JSON object per line (CLI-12)', () => {
  test('of all pages of a list, with the same filters', async () => {
    const { code, stdout, stderr } = await call(...LIST, '-o', 'ndjson');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(idsOf(stdout)).toEqual(['1', '2', '3', '4']);
    expect(service.received).toHaveLength(3);
    for (const { url } of service.received) expect(url).toContain('limit=200');
    for (const { url } of service.received) expect(url).toContain('status=failed');
  });

  test.each([
    [['--limit', '2'], ['1', '2'], 'b'],
    [['--cursor', 'b'], ['3'], 'c'],
  ])('of one page with %j, and the command for the next page', async (option, ids, next) => {
    const { stdout, stderr } = await call(...LIST, ...option, '--format', 'ndjson');
    expect(idsOf(stdout)).toEqual(ids);
    expect(stderr).toContain('More results: svc --output ndjson runs list --env prod');
    expect(stderr).toContain(`--cursor ${next}\n`);
  });

  test('of a list without pages, and of a record', async () => {
    const line = `${JSON.stringify(environment)}\n`;
    expect((await call('env', 'list', '-o', 'ndjson')).stdout).toBe(line + line);
    const show = await call('runs', 'show', '1', '--env', 'prod', '-o', 'ndjson');
    expect(show.stdout).toBe(`${JSON.stringify(run)}\n`);
  });
});
