import ts from 'typescript';

/** A text for people, with the line where it starts. */
export interface Passage {
  readonly line: number;
  readonly text: string;
}

/** A name that the file declares. */
export interface Name extends Passage {
  readonly kind: 'property' | 'type' | 'error' | 'other';
}

export interface Reading {
  readonly passages: readonly Passage[];
  readonly names: readonly Name[];
}

const READERS: Readonly<Record<string, (source: string) => Reading>> = {
  '.md': (source) => ({ passages: markdown(source), names: [] }),
  '.py': (source) => ({ passages: python(source), names: [] }),
  '.ts': typescript,
  '.mjs': typescript,
};

export const EXTENSIONS: readonly string[] = Object.keys(READERS);

/** The prose of a file: its text, comments and sentences in strings; and the names that it declares. */
export function proseOf(name: string, source: string): Reading {
  return READERS[name.slice(name.lastIndexOf('.'))]!(source);
}

/** Lines of prose, without code blocks, inline code, addresses and front matter. */
function markdown(source: string): Passage[] {
  const passages: Passage[] = [];
  let fence: string | null = null;
  for (const [i, line] of source.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    else if (fence === null)
      passages.push({ line: i + 1, text: line.replace(/`[^`]*`/g, ' ').replace(/\]\([^)]*\)/g, ' ') });
  }
  return passages;
}

/** A string is a sentence, and not a key, path or pattern, if it contains two consecutive words. */
const isSentence = (text: string): boolean => /[A-Za-z,;:] [A-Za-z]/.test(text);

function typescript(source: string): Reading {
  const tree = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
  const at = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const passages: Passage[] = [];
  const names: Name[] = [];
  for (const { pos, end } of comments(source)) {
    for (const [i, text] of source.slice(pos, end).split('\n').entries())
      passages.push({ line: at(pos) + i, text: text.replace(/`[^`]*`/g, ' ') });
  }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      if (isSentence(node.text)) passages.push({ line: at(node.getStart()), text: node.text });
    } else if (ts.isIdentifier(node) && declares(node))
      names.push({ line: at(node.getStart()), text: node.text, kind: kindOf(node.parent) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { passages, names };
}

/** Whether the identifier is the name in its parent's declaration. */
function declares(node: ts.Identifier): boolean {
  const { name } = node.parent as { name?: ts.Node };
  return (
    name === node &&
    !ts.isPropertyAccessExpression(node.parent) &&
    !ts.isImportSpecifier(node.parent) &&
    !ts.isImportClause(node.parent)
  );
}

/** Shorthand properties and destructured ones count as properties: they have the name of the field that they carry. */
function kindOf(declaration: ts.Node): Name['kind'] {
  if (ts.isClassDeclaration(declaration)) return extendsError(declaration) ? 'error' : 'type';
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return 'type';
  const isProperty =
    ts.isPropertyAssignment(declaration) ||
    ts.isShorthandPropertyAssignment(declaration) ||
    ts.isPropertySignature(declaration) ||
    ts.isPropertyDeclaration(declaration) ||
    (ts.isBindingElement(declaration) && declaration.propertyName === undefined);
  return isProperty ? 'property' : 'other';
}

const extendsError = ({ heritageClauses = ts.factory.createNodeArray() }: ts.ClassDeclaration): boolean =>
  heritageClauses.some(({ types }) => types.some(({ expression }) => expression.getText().endsWith('Error')));

function comments(source: string): { pos: number; end: number }[] {
  const found: { pos: number; end: number }[] = [];
  const tree = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, false);
  const seen = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) add(comment);
    for (const comment of ts.getTrailingCommentRanges(source, node.end) ?? []) add(comment);
    ts.forEachChild(node, visit);
  };
  const add = ({ pos, end }: ts.CommentRange) => {
    if (!seen.has(pos)) found.push({ pos, end });
    seen.add(pos);
  };
  visit(tree);
  visit(tree.endOfFileToken);
  return found;
}

/** Comments and docstrings, and strings that are sentences. */
function python(source: string): Passage[] {
  const passages: Passage[] = [];
  const token = /("""|''')[\s\S]*?\1|#[^\n]*|(["'])(?:\\.|(?!\2)[^\\\n])*\2/g;
  for (const match of source.matchAll(token)) {
    const first = source.slice(0, match.index).split('\n').length;
    for (const [i, text] of match[0].split('\n').entries())
      if (match[0].startsWith('#') || isSentence(text))
        passages.push({ line: first + i, text: text.replace(/`[^`]*`/g, ' ') });
  }
  return passages;
}
