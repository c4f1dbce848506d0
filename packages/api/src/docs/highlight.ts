import { createRequire } from 'node:module';

// The types of highlight.js add those of browsers to the whole project.
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
for (const name of ['bash', 'http', 'ini', 'json', 'python', 'sql', 'typescript', 'yaml'])
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** Returns a code block as HTML with highlighted syntax, or null if the language isn't known. */
export function highlight(code: string, language: string): string | null {
  if (highlighter.getLanguage(language) === undefined) return null;
  return highlighter.highlight(code, { language }).value;
}
