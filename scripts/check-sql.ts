// `npm run verify sql`: SQL in packages/lake is built only from checked fragments (packages/lake/src/queries/sql-text.ts).
// Rejects templates and concatenations that look like SQL and have neither the tag `sql` nor `trino`, and files that use a
// text as SQL without being listed here.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/lake/src');

/** The builders themselves. */
const BUILDERS = new Set(['queries/sql-text.ts', 'trino/trino-text.ts']);

/** The tags of DuckDB's and Trino's SQL. */
const TAGS = new Set(['sql', 'trino']);
/** The functions of each that use a text as SQL. */
const TRUSTING = new Set(['trustedSql', 'trustedTrino']);

/** Files that use a text as SQL, and why that text is safe. */
const TRUSTED: Readonly<Record<string, string>> = {
  'queries/sql-text.ts': 'defines it',
  'queries/plan-query.ts': 'statements that the engine wrote out of their guarded tree',
  'queries/row-changes/change-sql.ts': 'parts of a statement, to be parsed and guarded as one SELECT',
  'queries/row-changes/change-expressions.ts': 'the same parts, as one SELECT',
  'queries/sandbox/child-statements.ts': 'policies to be parsed alone',
  'queries/validate-policy.ts': 'a new policy, parsed as one expression before',
  'queries/sandbox/write-result.ts': 'the statement that the parent process sent',
  'queries/relations/policy-sql.ts': 'policies, each parsed as one expression before',
  'trino/trino-text.ts': "makes Trino's names, literals and numbers",
};

const SQL =
  /\b(?:SELECT|FROM|WHERE|JOIN|UNION|GROUP BY|ORDER BY|VALUES|INSERT INTO|DELETE|CREATE|DROP|ATTACH|COPY|CAST|CASE WHEN|IS (?:NOT )?NULL|SET [a-z_]+ =)\b|\b(?:read_[a-z_]+|list_[a-z]+|struct_[a-z]+|json_[a-z_]+|parquet_[a-z_]+|epoch_us|regexp_matches|coalesce)\(/;

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testing') yield* files(file);
    } else if (/\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name)) yield file;
  }
}

/** A message starts like a sentence. */
const SENTENCE = /^(?:A|[A-Z][a-z]+) [a-z]/;

const textOf = (node: ts.Node): string => {
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)].map((part) => part.text).join(' ');
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? node.text : '';
};

const isSql = (node: ts.Node): boolean => SQL.test(textOf(node)) && !SENTENCE.test(textOf(node));

const found: string[] = [];
for (const file of files(source)) {
  const name = relative(source, file);
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const report = (node: ts.Node, problem: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    found.push(`packages/lake/src/${name}:${line + 1} ${problem}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) && TRUSTING.has((node.propertyName ?? node.name).text) && !(name in TRUSTED))
      report(
        node,
        'takes a text for SQL: use identifier, literal, integer, or name the file and the reason in check-sql.ts',
      );
    if (!BUILDERS.has(name)) {
      if (ts.isTemplateExpression(node) && isSql(node) && !isTagged(node))
        report(node, 'puts values into SQL by a plain template: use the tag sql and its fragments');
      const isSum = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
      if (isSum && (isSql(node.left) || isSql(node.right)))
        report(node, 'adds a text to SQL: use the tag sql and its fragments');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

function isTagged(node: ts.TemplateExpression): boolean {
  const { parent } = node;
  return ts.isTaggedTemplateExpression(parent) && ts.isIdentifier(parent.tag) && TAGS.has(parent.tag.text);
}

if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
