// The exports of the TypeScript client, so that reviews show changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { cache as cacheFolder } from '../bootstrap/stamp.mjs';

const folder = fileURLToPath(new URL('../../packages/sdk/', import.meta.url));
const ENTRIES = {
  '@svc/sdk': 'src/index.ts',
  '@svc/sdk/browser': 'src/browser/index.ts',
  '@svc/sdk/mock': 'src/mock/index.ts',
  '@svc/sdk/cron': 'src/cron/index.ts',
};
const WHOLE =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.MultilineObjectLiterals;

function programOf() {
  const read = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
  const rootNames = Object.values(ENTRIES).map((file) => join(folder, file));
  return ts.createProgram({
    rootNames,
    options: {
      ...options,
      composite: false,
      incremental: false,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
    },
  });
}

/** Statements of a source's declaration file by the names they declare. */
function declarationsIn(program, source, cache) {
  const known = cache.get(source.fileName);
  if (known) return known;
  let text = '';
  program.emit(source, (_, written) => (text = written), undefined, true);
  const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true);
  const found = new Map();
  for (const statement of file.statements) {
    const name = statement.name?.text ?? statement.declarationList?.declarations[0]?.name.text;
    if (name) found.set(name, statement.getText(file));
  }
  cache.set(source.fileName, found);
  return found;
}

const tidy = (text) =>
  text
    .replace(/^export (declare )?/, '')
    .replace(/^ *(#private;|constructor\(call: Requester\);)\n/gm, '')
    .replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');

const oneLine = (text) => text.replace(/\s*\n\s*|\s{2,}/g, ' ');

function reportOf(program, checker, entry, cache) {
  const source = program.getSourceFile(join(folder, entry));
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map((symbol) => ({
    name: symbol.name,
    real: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
  const client = symbols.find(({ name }) => name === 'SvcClient');
  return [...symbols, ...(client ? resourcesOf(checker, client.real) : [])]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, real }) => {
      const [declaration] = real.declarations ?? [];
      const file = declaration?.getSourceFile();
      const own = file?.fileName.startsWith(join(folder, 'src'));
      const text = own ? declarationOf(program, checker, real, cache) : '';
      // A record of the contract: its fields, not their declaration in the contract.
      if (text !== '' && !/\b(ItemOf|AnswerOf)<'/.test(text)) return text;
      const isType = real.flags & ts.SymbolFlags.Type;
      const type = isType ? checker.getDeclaredTypeOfSymbol(real) : checker.getTypeOfSymbolAtLocation(real, source);
      return oneLine(
        `${isType ? `type ${name} =` : `const ${name}:`} ${checker.typeToString(type, undefined, WHOLE)};`,
      );
    });
}

/** The declaration of a symbol; of a resource or client with the members that it inherits. */
function declarationOf(program, checker, real, cache) {
  const text = tidy(declarationsIn(program, real.declarations[0].getSourceFile(), cache).get(real.name) ?? '');
  const [base] = real.flags & ts.SymbolFlags.Class ? checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(real)) : [];
  if (base === undefined || !isResource(checker, base)) return text;
  const inherited = membersOf(declarationOf(program, checker, base.symbol, cache));
  return `class ${real.name} {\n${base.symbol.name === 'Resource' ? '' : inherited}${membersOf(text)}}`;
}

const membersOf = (text) => text.slice(text.indexOf('{\n') + 2, text.lastIndexOf('}'));

/** Classes whose members the report shows in those that extend them. */
const BASES = ['Resource', 'ServiceClient'];

function isResource(checker, type) {
  if (BASES.includes(type.symbol.name)) return true;
  return (checker.getBaseTypes(type) ?? []).some((base) => isResource(checker, base));
}

/** The classes of the client's properties, which aren't exported by name. */
function resourcesOf(checker, client) {
  const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(client));
  const types = properties.map((property) => checker.getTypeOfSymbol(property).symbol);
  const classes = types.filter((symbol) => symbol && symbol.flags & ts.SymbolFlags.Class);
  return classes.map((real) => ({ name: real.name, real }));
}

function report() {
  const program = programOf();
  const checker = program.getTypeChecker();
  const cache = new Map();
  const parts = Object.entries(ENTRIES).map(
    ([name, entry]) => `## ${name}\n\n\`\`\`ts\n${reportOf(program, checker, entry, cache).join('\n\n')}\n\`\`\`\n`,
  );
  return `# What @svc/sdk exports\n\nWritten by \`npm run generate\`. A change here is a change of the public interface: it needs a changeset.\n\n${parts.join('\n')}`;
}

/** The report takes some ten seconds, so it is only made again if a source of it has changed. */
function cached() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const part of ['../sdk/src', '../core/src']) {
    const root = join(folder, part);
    const files = readdirSync(root, { recursive: true })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .sort();
    for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  }
  const file = join(cacheFolder, 'sdk-report', `${hash.digest('hex')}.md`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = report();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return text;
}

export default [{ file: 'packages/sdk/api-report.md', generate: cached }];
