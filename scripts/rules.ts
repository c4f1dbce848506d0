import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SPECIFICATION = 'docs/specification';

/** A rule of docs/specification: `summary` is its first sentence. */
export interface Rule {
  readonly id: string;
  readonly page: string;
  readonly summary: string;
  /** It no longer holds; its number isn't used again. */
  readonly withdrawn: boolean;
}

/** A rule that a source file names. */
export interface Citation {
  readonly file: string;
  readonly line: number;
  readonly id: string;
  /** Whether the line is only a comment. */
  readonly comment: boolean;
}

/** Every rule, by page and number. */
export function readRules(): Rule[] {
  return readdirSync(join(root, SPECIFICATION))
    .sort()
    .flatMap((page) => rulesOf(page, readFileSync(join(root, SPECIFICATION, page), 'utf8')));
}

function rulesOf(page: string, text: string): Rule[] {
  return text
    .split(/^- \*\*(?=[A-Z]+-\d+\*\*)/m)
    .slice(1)
    .map((part) => {
      const [, id, body] = /^([A-Z]+-\d+)\*\* ([\s\S]*)/.exec(part)!;
      const [summary] = /^.*?[.:](?=\s|$)/s.exec(body!) ?? [body!];
      return {
        id: id!,
        page,
        summary: summary.replaceAll(/\s+/g, ' ').replace(/[.:]$/, ''),
        withdrawn: /^\(?withdrawn\b/i.test(body!),
      };
    });
}

/** Every rule that a comment or text cites: an id with one of the prefixes of the rules. */
export function readCitations(rules: readonly Rule[]): Citation[] {
  const prefixes = [...new Set(rules.map(({ id }) => id.split('-')[0]!))];
  const cited = new RegExp(`\\b(?:${prefixes.join('|')})-\\d+\\b`, 'g');
  return execFileSync('git', ['ls-files', '-z', 'packages', 'apps', 'bench', 'scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => /\.(?:ts|mjs|py)$/.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((text, i) =>
          [...text.matchAll(cited)].map(([id]) => ({ file, line: i + 1, id, comment: COMMENT.test(text) })),
        ),
    );
}

const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;
const TEST = /\.test\.ts$|\/tests\/test_\w+\.py$/;

/** The files of the tests that prove each rule: its id is in the test's title, or in the docstring of a Python test. */
export function provingTests(citations: readonly Citation[]): Map<string, string[]> {
  const tests = new Map<string, Set<string>>();
  for (const { id, file, comment } of citations)
    if (TEST.test(file) && !comment) tests.set(id, (tests.get(id) ?? new Set()).add(file));
  return new Map([...tests].map(([id, files]) => [id, [...files].sort()]));
}
