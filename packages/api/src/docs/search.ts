import { type Guides, type Page, positionOf } from './pages.ts';
import { escapeHtml } from './render.ts';

/** A page in the search results, with an excerpt that contains the words. */
export interface Found {
  page: Page;
  /** HTML in which the words are marked. */
  excerpt: string;
}

/** Words that other products use, each with the words of these pages. A search finds pages with any of them. */
const SYNONYMS: readonly (readonly [phrase: string, ...alternatives: string[]])[] = [
  ['cron expression', 'cron text', 'cron'],
  ['crontab', 'cron'],
  ['virtual environment', 'python environment'],
  ['virtualenv', 'python environment'],
  ['venv', 'python environment'],
  ['api key', 'token'],
  ['pat', 'personal token', 'token'],
  ['user', 'principal', 'person'],
  ['users', 'principals', 'people'],
  ['role', 'grant'],
  ['permission', 'grant', 'action'],
  ['permissions', 'grants', 'actions'],
  ['privilege', 'grant'],
  ['rls', 'row filter'],
  ['row level security', 'row filter'],
  ['row-level security', 'row filter'],
  ['masking', 'column mask'],
  ['schema', 'namespace', 'columns'],
  ['database', 'environment'],
  ['workspace', 'environment'],
  ['undelete', 'undrop', 'restore'],
  ['undo', 'undrop', 'restore'],
  ['recover', 'undrop', 'restore'],
  ['delete', 'drop'],
  ['ttl', 'retention', 'expire'],
  ['lakehouse', 'iceberg'],
  ['dbt', 'project', 'asset'],
  ['dag', 'job', 'asset'],
  ['pipeline', 'job', 'project'],
  ['model', 'asset'],
  ['models', 'assets'],
  ['requirements.txt', 'uv.lock', 'lock file'],
  ['pip', 'package'],
  ['docker', 'container', 'image'],
  ['helm', 'kubernetes'],
  ['prometheus', 'metrics'],
  ['opentelemetry', 'traces'],
  ['otel', 'traces'],
  ['ingest', 'load'],
  ['import', 'load'],
  ['upload', 'load'],
  ['slack', 'webhook'],
  ['notification', 'webhook'],
  ['password', 'sign in'],
  ['login', 'sign in'],
];
const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  SYNONYMS.map(([phrase, ...alternatives]) => [phrase, alternatives]),
);
const MAX_TERMS = 10;
const MAX_PHRASE_LENGTH = 3;

/** A word or phrase of the question with what else it may be called, in lower case. */
type Term = readonly string[];

/** The terms of a question: known phrases first, then single words. */
export function termsOf(query: string): Term[] {
  const tokens = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  const terms: Term[] = [];
  for (let i = 0; i < tokens.length; ) {
    let length = Math.min(MAX_PHRASE_LENGTH, tokens.length - i);
    while (length > 1 && !ALTERNATIVES.has(tokens.slice(i, i + length).join(' '))) length--;
    const phrase = tokens.slice(i, i + length).join(' ');
    terms.push([phrase, ...(ALTERNATIVES.get(phrase) ?? [])]);
    i += length;
  }
  return terms;
}

/** Pages that contain every term: first those with the terms in their title, then by part in reading order. */
export function searchGuides(guides: Guides, query: string): Found[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const countIn = (text: string) => {
    const lower = text.toLowerCase();
    return terms.filter((term) => term.some((word) => lower.includes(word))).length;
  };
  return [...guides.byPath.values()]
    .filter(({ text }) => countIn(text) === terms.length)
    .sort((a, b) => countIn(b.title) - countIn(a.title) || positionOf(a) - positionOf(b) || (a.path < b.path ? -1 : 1))
    .map((page) => ({ page, excerpt: marked(excerptOf(page.text, countIn), terms) }));
}

const EXCERPT = 180;

/** The first paragraph that contains the most terms, as plain text. */
function excerptOf(text: string, countIn: (text: string) => number): string {
  const paragraphs = text.split(/\n\s*\n/).filter((part) => !/^(#|```|<!--)/.test(part));
  const best = paragraphs.reduce((one, other) => (countIn(other) > countIn(one) ? other : one), '');
  const plain = best
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*`|]+|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > EXCERPT ? `${plain.slice(0, EXCERPT).replace(/\s\S*$/, '')} …` : plain;
}

/** The text as HTML, with every occurrence of a term marked. */
function marked(text: string, terms: readonly Term[]): string {
  const lower = text.toLowerCase();
  // Longer words first, so that "cron text" is marked as a whole.
  const phrases = terms.flat().sort((a, b) => b.length - a.length);
  let html = '';
  let at = 0;
  let plain = 0;
  while (at < text.length) {
    const word = phrases.find((one) => lower.startsWith(one, at));
    if (word === undefined) {
      at++;
      continue;
    }
    html += `${escapeHtml(text.slice(plain, at))}<mark>${escapeHtml(text.slice(at, at + word.length))}</mark>`;
    at += word.length;
    plain = at;
  }
  return html + escapeHtml(text.slice(plain));
}
