// `npm run verify rules`: a test proves every rule of docs/specification, every rule that a comment or test cites exists,
// and no two rules share an id.
import { provingTests, readCitations, readRules } from './rules.ts';

const rules = readRules();
const citations = readCitations(rules);
const tests = provingTests(citations);
const ids = new Set<string>();
const problems: string[] = [];
for (const { id, page, withdrawn } of rules) {
  const at = `docs/specification/${page}`;
  if (ids.has(id)) problems.push(`${at}: ${id} is the id of another rule too`);
  ids.add(id);
  if (!withdrawn && !tests.has(id))
    problems.push(`${at}: no test cites ${id}; put the id in the title of the test that proves the rule`);
}
for (const { file, line, id } of citations)
  if (!ids.has(id)) problems.push(`${file}:${line} cites ${id}, which isn't in docs/specification`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
