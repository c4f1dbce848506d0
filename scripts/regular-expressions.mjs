// npm run verify regular-expressions: rejects regular expressions with super-linear running time. One that only
// matches short or trusted texts is allowed with a comment directly above it, `// bounded: why`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import recheck from 'recheck';
import ts from 'typescript';
import { filesBelow, packageFolders, root } from './bootstrap/stamp.mjs';

const TIMEOUT_MS = 30_000;
const version = createRequire(import.meta.url)('recheck/package.json').version;
// The results are in the repository, because some take many seconds. Those of another version of the checker are ignored.
const known = join(root, 'scripts/regular-expressions.json');
const verdicts = new Map(readSafe().map((key) => [key, 'safe']));
const used = new Set();

const problems = [];
for (const file of packageFolders().flatMap((folder) => filesBelow(`${folder}/src`))) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts') || /\/(?:testing|generated)\//.test(file)) continue;
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  visit(source, (node, expression) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (/^\s*\/\/ bounded: /.test(lines[line - 1] ?? '') || /^\s*\/\/ bounded: /.test(lines[line - 2] ?? '')) return;
    const fault = expression === null ? 'is put together while the program runs' : faultOf(expression);
    if (fault !== null) problems.push(`${file}:${line + 1}: ${node.getText()} ${fault}`);
  });
}
if (process.env.CI !== 'true') {
  const safe = [...used].filter((key) => verdicts.get(key) === 'safe').sort();
  writeFileSync(known, `${JSON.stringify({ version, safe }, null, 2)}\n`);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(
    'Rewrite these so that no part of the text can match in two ways, use string methods, or limit the text and say so in a comment above: // bounded: why',
  );
  process.exitCode = 1;
}

function visit(node, found) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    found(node, { source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
  } else if (isConstruction(node)) found(node, constructed(node));
  ts.forEachChild(node, (child) => visit(child, found));
}

function isConstruction(node) {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

/** The argument of `new RegExp` if it consists of constants of its file; otherwise null. */
function constructed(node) {
  const [text, flags] = (node.arguments ?? []).map(constantOf);
  if (typeof text !== 'string' || flags === null) return null;
  return { source: text, flags: flags ?? '' };
}

function constantOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const declared = node
      .getSourceFile()
      .statements.filter(ts.isVariableStatement)
      .flatMap((statement) => [...statement.declarationList.declarations])
      .find((declaration) => declaration.name.getText() === node.text);
    return declared?.initializer === undefined ? null : constantOf(declared.initializer);
  }
  if (!ts.isTemplateExpression(node)) return null;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const value = constantOf(expression);
    if (value === null) return null;
    text += value + literal.text;
  }
  return text;
}

function faultOf({ source, flags }) {
  const key = `/${source}/${flags}`;
  used.add(key);
  if (!verdicts.has(key)) verdicts.set(key, verdictOn(source, flags));
  return verdicts.get(key) === 'safe' ? null : verdicts.get(key);
}

function verdictOn(source, flags) {
  // The checker rejects flags that don't change what matches, and knows "v" only as "u".
  const { status, complexity, error } = recheck.checkSync(source, flags.replace('d', '').replace('v', 'u'), {
    timeout: TIMEOUT_MS,
  });
  if (status === 'safe') return 'safe';
  return status === 'vulnerable'
    ? `takes time that grows as a ${complexity.summary}`
    : `could not be checked (${error?.kind})`;
}

function readSafe() {
  try {
    const read = JSON.parse(readFileSync(known, 'utf8'));
    return read.version === version ? read.safe : [];
  } catch {
    return [];
  }
}
