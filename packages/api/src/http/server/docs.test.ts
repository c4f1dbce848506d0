import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMarkdown, servedLink } from '../../docs/render.ts';
import { startTestServer, type TestServer } from '../../testing/index.ts';

const docs = fileURLToPath(new URL('../../../../../docs/', import.meta.url));
const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));

describe('renderMarkdown', () => {
  test('shows HTML as text and leaves comments out', () => {
    const { html } = renderMarkdown(
      '# A\n\n<script>alert(1)</script>\n\n<!-- note -->\n\na <b onclick="x()">b</b>',
      'a.md',
    );
    expect(html).not.toMatch(/<script|<b |<!--/);
    expect(html).toContain('&#60;script&#62;');
  });

  test('gives headings the anchors that links name', () => {
    expect(renderMarkdown('## Why may I not?\n', 'a.md').html).toContain('<h2 id="why-may-i-not">');
  });

  test.each([
    ['tables.md', 'guide/queries.md', '/docs/guide/tables'],
    ['../security.md#tokens', 'guide/access.md', '/docs/security#tokens'],
    ['../README.md', 'guide/access.md', '/docs'],
    ['README.md', 'decisions/0001-a.md', '/docs/decisions'],
    ['reference/openapi.json', 'README.md', '/api/v1/openapi.json'],
    ['../../examples/bird-strikes/README.md', 'guide/projects.md', null],
    ['schema.sql', 'reference/README.md', null],
    ['https://example.com/', 'a.md', 'https://example.com/'],
  ])('serves the link %s of %s as %s', (href, file, served) => {
    expect(servedLink(href, file)).toBe(served);
  });
});

describe('the files of docs', () => {
  test.each([...files.map((file) => join(docs, file)), join(docs, '../README.md')])(
    '%s links to what is there',
    (file) => {
      const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '');
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
      const broken = links.filter((link) => {
        if (/^https?:|^\//.test(link)) return false;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        if (!existsSync(target)) return true;
        return (
          anchor !== undefined && !renderMarkdown(readFileSync(target, 'utf8'), '').html.includes(`id="${anchor}"`)
        );
      });
      expect(broken).toEqual([]);
    },
  );
});

describe('/docs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  const get = (path: string) => server.call('GET', path, { token: null });

  test('shows the first page, without a credential and under a strict policy', async () => {
    const { status, headers, text } = await get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch('text/html');
    expect(headers.get('content-security-policy')).toMatch("default-src 'self'");
    expect(text).toContain('<h1 id="svc-documentation">svc documentation</h1>');
    expect(text).not.toMatch(/<script/);
  });

  test('is where the address of the service leads', async () => {
    const answer = await fetch(server.url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  });

  test('reaches every guide by links alone, and every link leads somewhere', async () => {
    const seen = new Set(['/docs']);
    for (const path of seen) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const [, href] of text.matchAll(/(?:href|src|action)="(\/[^"#]*)/g))
        seen.add(href!.replaceAll('&#38;', '&'));
    }
    for (const file of files) {
      const page = file
        .replaceAll('\\', '/')
        .replace(/\.md$/, '')
        .replace(/(^|\/)README$/, '');
      expect(seen).toContain(page === '' ? '/docs' : `/docs/${page}`);
    }
  });

  test('loads nothing from elsewhere', async () => {
    for (const path of ['/docs', '/docs/guide/queries', '/docs/api']) {
      const { text } = await get(path);
      expect(text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test('serves the OpenAPI page and what it loads', async () => {
    const { text } = await get('/docs/api');
    for (const [, path] of text.matchAll(/(?:href|src)="([^"]+)"/g)) expect((await get(path!)).status).toBe(200);
    expect((await get('/api/v1/openapi.json')).body.openapi).toBe('3.1.0');
  });

  test('finds guides by words and shows the question as text', async () => {
    const found = await get('/docs?q=service%20account%20token');
    expect(found.text).toContain('<a href="/docs/guide/access">');
    const hostile = await get('/docs?q=%3Cscript%3Ezz');
    expect(hostile.status).toBe(200);
    expect(hostile.text).not.toContain('<script');
  });

  test.each([
    '/docs/nowhere',
    '/docs/guide',
    '/docs/guide/queries.md',
    '/docs/..%2fpackage',
    '/docs/guide/..%2f..%2fREADME',
    '/docs/%2e%2e/README',
    '/docs/api/assets/..%2f..%2fpackage.json',
    '/docs/api/assets/',
  ])('refuses %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
