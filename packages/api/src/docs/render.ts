import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { highlight } from './highlight.ts';

/** A section of a page. */
export interface Heading {
  id: string;
  html: string;
}

/** A Markdown file as HTML. */
export interface Rendered {
  title: string;
  html: string;
  /** The Markdown, for the search. */
  text: string;
  /** Its second-level headings, in order. */
  headings: readonly Heading[];
}

/** Pictures are in a folder `images` beside the guides. */
export const IMAGE_PATH = /^[a-z]+\/images\/[a-z0-9-]+\.png$/;

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/**
 * The URL of a page's link once served, or null for files outside the guides, which are shown as text because they
 * aren't served.
 */
export function servedLink(href: string, file: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(file), target);
  if (path.startsWith('..')) return null;
  if (path === 'reference/openapi.json') return '/api/v1/openapi.json';
  if (!path.endsWith('.md')) return null;
  const page = path.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  return `/docs${page === '' ? '' : `/${page}`}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The path of a picture below the guides, or null for any other, whose alternative text is shown. */
function servedImage(href: string, file: string): string | null {
  const path = posix.join(posix.dirname(file), href);
  return IMAGE_PATH.test(path) ? path : null;
}

/**
 * Renders one of the project's own Markdown files. HTML in it is shown as text, so that a page contains only what
 * Markdown can express; comments are removed. `file` is its path in the guides, which relative links are resolved
 * against.
 */
export function renderMarkdown(text: string, file: string): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({ async: false });
  marked.use({
    renderer: {
      html: ({ text: raw }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--[\s\S]*-->\s*$/.test(raw) ? '' : escapeHtml(raw)),
      image({ href, text: alternative }: Tokens.Image) {
        const path = servedImage(href, file);
        const alt = escapeHtml(alternative);
        return path === null ? alt : `<img src="/docs/${escapeHtml(path)}" alt="${alt}" loading="lazy">`;
      },
      heading({ tokens, depth, text: heading }: Tokens.Heading) {
        const id = slug(heading);
        const html = this.parser.parseInline(tokens);
        // A link within a link isn't HTML.
        if (depth === 2) headings.push({ id, html: html.replace(/<\/?a(?: [^<>]*)?>/g, '') });
        return `<h${depth} id="${escapeHtml(id)}">${html}</h${depth}>\n`;
      },
      code({ text: code, lang }: Tokens.Code) {
        // The info string names the language first; the rest is for the tests that run the block.
        const language = lang?.split(/\s/)[0] ?? '';
        const html = highlight(code, language) ?? escapeHtml(code);
        return `<div class="block"><pre><code>${html}\n</code></pre></div>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const target = servedLink(href, file);
        const shown = this.parser.parseInline(tokens);
        return target === null ? shown : `<a href="${escapeHtml(target)}">${shown}</a>`;
      },
    },
  });
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
  const html = marked.parse(text) as string;
  return { title, text, html, headings };
}
