import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMarkdown, servedLink } from '../../docs/render.ts';
import { searchGuides } from '../../docs/search.ts';
import { startTestServer, type TestServer } from '../../testing/index.ts';

/** The opening tags of scripts. */
const scriptsOf = (html: string) => html.match(/<script[^>]*>/g) ?? [];

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

  test('headings have the anchors that links use', () => {
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
  const accepting = (accept: string, path: string) => server.call('GET', path, { token: null, headers: { accept } });

  test('shows the first page, without a credential and under a strict policy', async () => {
    const { status, headers, text } = await get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch('text/html');
    expect(headers.get('content-security-policy')).toMatch("default-src 'self'");
    expect(text).toContain('<h1 id="svc-documentation">svc documentation</h1>');
    expect(scriptsOf(text)).toEqual(['<script src="/docs/copy.js">']);
    expect(headers.get('content-security-policy')).not.toContain('unsafe-inline');
  });

  test('the address of the service shows a page that leads to the guides and the API', async () => {
    const { status, text } = await get('/');
    expect(status).toBe(200);
    for (const href of ['/docs', '/docs/api', '/docs/guide/getting-started']) expect(text).toContain(`href="${href}"`);
    for (const [, href] of text.matchAll(/(?:href|src|action)="(\/[^"#]*)/g))
      expect((await get(href!)).status).toBe(200);
  });

  test('the navigation lists the guides in the order of the first page', async () => {
    const { text } = await get('/docs');
    const [menu, page] = [/<nav class="menu"[\s\S]*?<\/nav>/, /<main>[\s\S]*<\/main>/].map(
      (part) => part.exec(text)![0],
    );
    const guides = (html = '') => [
      ...new Set([...html.matchAll(/href="\/docs\/(guide\/[\w-]+)"/g)].map(([, path]) => path)),
    ];
    expect(guides(menu)).toEqual(guides(page));
    expect(guides(menu).slice(0, 2)).toEqual(['guide/getting-started', 'guide/concepts']);
  });

  test('a page has a list of its sections, highlighted code and a button that copies it', async () => {
    const { text } = await get('/docs/guide/queries');
    const headings = [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    const listed = /<nav class="contents"[\s\S]*?<\/nav>/.exec(text)![0];
    expect([...listed.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(headings);
    expect(text).toContain('<span class="hljs-');
    expect((await get('/docs/copy.js')).text).toContain("'.block'");
    expect(text).toMatch(/<div class="block"><pre><code>/);
  });

  test('a browser gets a page for a path that does not exist, other clients problem details', async () => {
    for (const path of ['/docs/nowhere', '/nowhere<b>']) {
      const browser = await accepting('text/html,*/*;q=0.8', encodeURI(path));
      expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(browser.text).toContain('Page not found');
      expect(browser.text).not.toContain('<b>');
      const program = await accepting('*/*', encodeURI(path));
      expect([program.status, program.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  test('a path of the API or the catalog that does not exist gets problem details, also in a browser', async () => {
    for (const path of ['/api', '/api/v1/nowhere', '/api/v2/environments', '/catalog/nowhere']) {
      const response = await accepting('text/html', path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toMatch(/json/);
    }
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

  test('loads nothing from other hosts (SERVICE-4)', async () => {
    for (const path of ['/docs', '/docs/guide/queries', '/docs/api']) {
      const { text } = await get(path);
      expect(text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test('shows the pictures of guides, and no other files', async () => {
    const { text } = await get('/docs/guide/console');
    const pictures = [...text.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g)];
    expect(pictures.length).toBeGreaterThan(3);
    for (const [, path] of pictures) {
      const response = await get(path!);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
    }
    expect((await get('/docs/guide/images/absent.png')).status).toBe(404);
    expect((await get('/docs/guide/images/..%2f..%2fREADME.md')).status).toBe(404);
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
    expect(scriptsOf(hostile.text)).toEqual(['<script src="/docs/copy.js">']);
  });

  test.each([
    ['cron expression', '/docs/guide/projects'],
    ['undelete table', '/docs/guide/dropping'],
    ['API key', '/docs/guide/access'],
    ['row-level security', '/docs/guide/access'],
  ])('finds guides by the words of other products: %s', async (question, path) => {
    const { text } = await get(`/docs?q=${encodeURIComponent(question)}`);
    const [, results = ''] = text.split('<main>');
    expect(results).toContain(`<a href="${path}">`);
    expect(results).toContain('<mark>');
  });

  test('marks hits without making markup of them', () => {
    const page = { path: 'a', title: 'A', html: '', text: 'a <b> & <i>cron text</i>', headings: [] };
    const guides = { byPath: new Map([['a', page]]), parts: [], images: new Map() };
    expect(searchGuides(guides, 'cron expression <b>')[0]!.excerpt).toBe(
      'a <mark>&#60;b&#62;</mark> &#38; &#60;i&#62;<mark>cron text</mark>&#60;/i&#62;',
    );
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
