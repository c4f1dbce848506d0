import type { Guides, Page } from './pages.ts';
import { escapeHtml, type Heading } from './render.ts';
import type { Found } from './search.ts';

const HEAD = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/style.css">`;

interface Contents {
  title: string;
  /** HTML. */
  body: string;
  path?: string | null;
  searchQuery?: string;
  headings?: readonly Heading[];
}

function navigation(guides: Guides, current: string | null, searchQuery: string): string {
  const entry = ({ path, title }: Pick<Page, 'path' | 'title'>) =>
    `<li><a href="/docs/${escapeHtml(path)}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const parts = guides.parts.map(
    ({ title, pages }) => `<h2>${escapeHtml(title)}</h2><ul>${pages.map(entry).join('')}</ul>`,
  );
  return [
    `<p><a href="/"><strong>svc</strong></a> · <a href="/docs">Docs</a> · <a href="/docs/api">API</a></p>`,
    `<form action="/docs" role="search"><input type="search" name="q" value="${escapeHtml(searchQuery)}"`,
    ` placeholder="Search" aria-label="Search the documentation"></form>`,
    ...parts,
  ].join('');
}

/** A contents list helps on pages with at least this many sections. */
const MIN_SECTIONS = 3;

function contents(headings: readonly Heading[]): string {
  if (headings.length < MIN_SECTIONS) return '';
  const entries = headings.map(({ id, html }) => `<li><a href="#${escapeHtml(id)}">${html}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${entries.join('')}</ul></nav>`;
}

/** A whole HTML document with navigation. */
export function layout(
  guides: Guides,
  { title, body, path = null, searchQuery = '', headings = [] }: Contents,
): string {
  // The contents list follows the title.
  const [top = '', ...rest] = body.split(/(?<=<\/h1>)/);
  const list = contents(headings);
  return `<!doctype html>
<html lang="en">
<head>
<title>${escapeHtml(title)} – svc</title>
${HEAD}
</head>
<body class="page"><nav class="menu" aria-label="Documentation">${navigation(guides, path, searchQuery)}</nav><main>${top}${list}${rest.join('')}</main>
<script src="/docs/copy.js"></script></body>
</html>`;
}

/** The page of search results. */
export function resultsBody(found: readonly Found[], searchQuery: string): string {
  const shown = escapeHtml(searchQuery);
  if (found.length === 0)
    return `<h1>No results</h1><p>No page contains all of “${shown}”. Try fewer or other words.</p>`;
  const items = found.map(
    ({ page: { path, title }, excerpt }) =>
      `<li><a href="/docs/${escapeHtml(path)}">${escapeHtml(title)}</a><br>${excerpt}</li>`,
  );
  return `<h1>Results for “${shown}”</h1><ul class="found">${items.join('')}</ul>`;
}

const card = (href: string, title: string, text: string) =>
  `<li><a href="${href}"><strong>${title}</strong></a><br>${text}</li>`;

/** The page at the address that the service prints when it starts. */
export const landingPage = (version: string, hasConsole: boolean): string => `<!doctype html>
<html lang="en">
<head>
<title>svc</title>
${HEAD}
</head>
<body><main class="home">
<h1>svc ${escapeHtml(version)}</h1>
<p>This is a data platform: environments with Iceberg tables, SQL queries, projects that build tables, access control
and an audit log. You use it from the command line, from TypeScript and Python, and over HTTP.</p>
<form action="/docs" role="search"><input type="search" name="q" placeholder="Search the documentation" aria-label="Search the documentation"></form>
<ul class="cards">
${hasConsole ? card('/console', 'Console', 'See and query your tables in the browser.') : ''}
${card('/docs/guide/getting-started', 'Getting started', 'Create an environment, load a table and query it in ten minutes.')}
${card('/docs', 'Documentation', 'Guides, operations, reference.')}
${card('/docs/api', 'HTTP API', 'Every route, with its parameters and errors.')}
${card('/docs/guide/command-line', 'Command line', 'Sign in with <code>svc login</code>, check with <code>svc doctor</code>.')}
${card('/docs/guide/clients', 'TypeScript and Python', '<code>npm install @svc/sdk</code>, <code>pip install svc-sdk</code>.')}
${card('/docs/guide/engines', 'Spark, PyIceberg, Trino, DuckDB', 'Read and write the same tables through the Iceberg REST catalog.')}
</ul>
</main></body>
</html>`;

/** The 404 page for browsers. */
export const missingPage = (path: string): string => `<!doctype html>
<html lang="en">
<head>
<title>Page not found – svc</title>
${HEAD}
</head>
<body><main class="home">
<h1>Page not found</h1>
<p>There is no page at <code>${escapeHtml(path)}</code>.</p>
<p><a href="/docs">All documentation</a> · <a href="/docs/api">HTTP API</a> · <a href="/">Home</a></p>
<form action="/docs" role="search"><input type="search" name="q" placeholder="Search the documentation" aria-label="Search the documentation"></form>
</main></body>
</html>`;
