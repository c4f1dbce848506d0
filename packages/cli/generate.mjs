// Generates the map of commands from src/commands, the reference of the command line from the commands, and the files that
// svc init writes from project.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = new URL('./src/commands/', import.meta.url);
const idOf = (file) => file.replace(/\.ts$/, '').replaceAll('/', ' ');
const quoted = (text) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

/** `env/list.ts` is `svc env list`. */
function commandFiles() {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return entries.filter((name) => /^[^.]+\.ts$/.test(name)).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

const load = async (file) => (await import(new URL(file, pathToFileURL(`${folder.pathname}x`)).href)).default;

async function commandMap() {
  const { name, version, oclif } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
  const lines = [];
  for (const file of commandFiles()) {
    const id = idOf(file);
    const { summary } = await load(file);
    lines.push(
      `  ${id.includes(' ') || id.includes('-') ? `'${id}'` : id}: {`,
      `    summary: ${quoted(summary)},`,
      `    load: () => import('../commands/${file}'),`,
      '  },',
    );
  }
  return [
    '// Written by "npm run generate" from packages/cli/src/commands and packages/cli/package.json.',
    '// biome-ignore format: copied from package.json',
    `export const PACKAGE = ${JSON.stringify({ name, version, oclif })};`,
    'export const COMMANDS = {',
    ...lines,
    '};\n',
  ].join('\n');
}

const INTRODUCTION = `# Commands

\`svc [--output text|json|ndjson] [--profile NAME] [--url URL] [--allow-insecure] [--debug] COMMAND\`: global options come before or after the command.
\`--json\` means \`--output json\`. \`get\` and \`show\` mean the same, and so do \`delete\`, \`remove\` and \`drop\`, \`create\` and \`add\`, \`list\`
and \`ls\`.
Data goes to standard output, everything else to standard error. Each setting comes from the first of these that sets it: its option,
the variable (\`SVC_URL\`, \`SVC_TOKEN\`, \`SVC_ENV\`, \`SVC_PROFILE\`, \`SVC_ALLOW_INSECURE\`), the profile that \`svc login\` stores, its default.
\`svc auth status\` shows where each comes from.

| exit code | meaning                       |
| --------- | ----------------------------- |
| 0         | success                       |
| 1         | the work failed               |
| 2         | usage                         |
| 3         | not found                     |
| 4         | not signed in, or not allowed |
| 5         | conflict                      |
| 6         | unavailable or throttled      |
| 130       | interrupted                   |
`;

async function reference() {
  const { loadConfig } = await import('./src/oclif/load-config.ts');
  const { SvcHelp } = await import('./src/oclif/help.ts');
  const config = await loadConfig({ env: {} });
  const parts = [INTRODUCTION];
  let topic = '';
  for (const file of commandFiles()) {
    const id = idOf(file);
    const [first, verb] = id.split(' ');
    if (verb !== undefined && first !== topic) parts.push(`## ${config.findTopic(first).description}\n`);
    if (verb !== undefined) topic = first;
    const help = (await new SvcHelp(config).commandText(id)).replace(/GLOBAL OPTIONS\n(?: {2}.*\n)+\n?/, '');
    parts.push(`${verb === undefined ? '##' : '###'} svc ${id}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`);
  }
  return parts.join('\n');
}

const project = new URL('./project/', import.meta.url);

/** The files below a folder of `project`, by their paths there. */
function filesOf(name) {
  const within = new URL(`${name}/`, project);
  const entries = readdirSync(within, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => relative(fileURLToPath(within), join(parentPath, name)));
  const texts = paths.map((path) => {
    const text = readFileSync(new URL(path, within), 'utf8').replaceAll('\r\n', '\n');
    return [path.replaceAll('\\', '/'), text];
  });
  return Object.fromEntries(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The bundle contains the files, because npm never packs a .gitignore. */
function projectFiles() {
  const files = { sql: filesOf('sql'), python: filesOf('python') };
  return [
    '// Written by "npm run generate" from packages/cli/project.',
    `export const PROJECT_FILES: Record<'sql' | 'python', Record<string, string>> = ${JSON.stringify(files, null, 2)};\n`,
  ].join('\n');
}

export default [
  { file: 'packages/cli/src/generated/commands.ts', generate: commandMap },
  { file: 'packages/cli/src/generated/project-files.ts', generate: projectFiles },
  { file: 'docs/reference/commands.md', generate: reference },
];
