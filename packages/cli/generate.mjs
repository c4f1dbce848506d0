// Generates the reference of the command line from the commands.
import { COMMANDS, TOPICS } from './src/commands.ts';
import { commandHelp } from './src/help.ts';

const INTRODUCTION = `# Commands

\`svc [--output text|json] [--profile NAME] [--url URL] COMMAND\`: global options come before or after the command.
Data goes to standard output, everything else to standard error. Each setting comes from the first of these that sets it: its option,
the variable (\`SVC_URL\`, \`SVC_TOKEN\`, \`SVC_ENV\`, \`SVC_PROFILE\`), the profile that \`svc login\` stores, its default.
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
  const parts = [INTRODUCTION];
  let topic = '';
  for (const [id, load] of Object.entries(COMMANDS)) {
    const [first, verb] = id.split(' ');
    if (verb !== undefined && first !== topic) parts.push(`## ${TOPICS[first] ?? first}\n`);
    if (verb !== undefined) topic = first;
    const { default: Class } = await load();
    Class.id = id;
    const help = commandHelp(Class).replace(/GLOBAL OPTIONS\n(?: {2}.*\n)+\n?/, '');
    parts.push(`${verb === undefined ? '##' : '###'} svc ${id}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`);
  }
  return parts.join('\n');
}

export default [{ file: 'docs/reference/commands.md', generate: reference }];
