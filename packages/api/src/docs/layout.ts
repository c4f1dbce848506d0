import type { Found, Guides, Page } from './pages.ts';
import { escapeHtml } from './render.ts';

/** The only stylesheet of the pages, which contain no scripts. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0550ae, #79b8ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); height: 100vh; overflow: auto; position: sticky; top: 0; }
nav h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; margin: 1.2rem 0 .3rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
nav input { width: 100%; padding: .35rem .5rem; font: inherit; border: 1px solid var(--line); border-radius: 4px; }
main { padding: 1.5rem 2rem 4rem; max-width: 60rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a[aria-current] { text-decoration: underline; }
pre, code { font: .9em/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .25em; }
pre { padding: .8rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .92rem; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
.found li { margin: 0 0 .8rem; }
@media (max-width: 50rem) {
  body { display: flex; flex-direction: column-reverse; }
  nav { height: auto; position: static; border: 0; border-top: 1px solid var(--line); }
  main { padding: 1rem; }
}
`.trim();

function navigation(guides: Guides, current: string | null, question: string): string {
  const entry = ({ path, title }: Pick<Page, 'path' | 'title'>) =>
    `<li><a href="/docs/${escapeHtml(path)}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const parts = guides.parts.map(
    ({ title, pages }) => `<h2>${escapeHtml(title)}</h2><ul>${pages.map(entry).join('')}</ul>`,
  );
  return [
    `<p><a href="/docs"><strong>svc</strong></a> · <a href="/docs/api">API</a></p>`,
    `<form action="/docs" role="search"><input type="search" name="q" value="${escapeHtml(question)}"`,
    ` placeholder="Search" aria-label="Search the guides"></form>`,
    ...parts,
  ].join('');
}

/** A whole HTML document. `body` must be HTML already. */
export function layout(
  guides: Guides,
  { title, body, path = null, question = '' }: { title: string; body: string; path?: string | null; question?: string },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – svc</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body><nav>${navigation(guides, path, question)}</nav><main>${body}</main></body>
</html>`;
}

/** The page of search results. */
export function resultsBody(found: readonly Found[], question: string): string {
  const shown = escapeHtml(question);
  if (found.length === 0) return `<h1>Nothing found</h1><p>No guide holds all of “${shown}”. Try fewer words.</p>`;
  const items = found.map(
    ({ page: { path, title }, excerpt }) =>
      `<li><a href="/docs/${escapeHtml(path)}">${escapeHtml(title)}</a><br>${escapeHtml(excerpt)}</li>`,
  );
  return `<h1>Guides with “${shown}”</h1><ul class="found">${items.join('')}</ul>`;
}
