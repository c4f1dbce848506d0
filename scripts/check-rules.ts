// `npm run verify rules`: every rule that a comment or test cites exists in docs/specification, and no two rules share an id.
import { readCitations, readRules } from './rules.ts';

const rules = readRules();
const ids = new Set<string>();
const problems: string[] = [];
for (const { id, page } of rules) {
  if (ids.has(id)) problems.push(`docs/specification/${page}: ${id} is the id of another rule too`);
  ids.add(id);
}
for (const { file, line, id } of readCitations(rules))
  if (!ids.has(id)) problems.push(`${file}:${line} cites ${id}, which isn't in docs/specification`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
