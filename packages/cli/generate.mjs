// The reference of the command line, out of the commands themselves.
import { COMMANDS, TOPICS } from './src/commands.ts';
import { commandHelp } from './src/help.ts';

const INTRODUCTION = `# Commands

\`svc [--output text|json] [--profile NAME] [--url URL] COMMAND\`: global options stand before the command or after it.
Data goes to standard output, everything else to standard error. A setting comes from its option, else from
\`SVC_URL\`, \`SVC_TOKEN\`, \`SVC_ENV\`, \`SVC_PROFILE\`, else from the profile that \`svc login\` keeps, else from its default;
\`svc auth status\` says where each came from.

| exit code | meaning                       |
| --------- | ----------------------------- |
| 0         | done                          |
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
