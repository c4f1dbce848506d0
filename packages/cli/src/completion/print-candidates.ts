import type { SvcConfig } from '../oclif/svc-config.ts';
import { escaped } from '../output/escape.ts';
import { complete } from './candidates.ts';

/** Prints candidates for the shell function. Errors stay silent, because they would disturb the line being edited. */
export async function printCandidates(args: readonly string[], config: SvcConfig): Promise<void> {
  try {
    const { candidates, files } = await complete(args, config);
    const lines = candidates
      // Skip names with control characters: the shell would interpret them.
      .filter(({ text }) => escaped(text) === text)
      .map(({ text, description }) => (description === undefined ? text : `${text}\t${escaped(description)}`));
    if (files !== null) lines.push(`:${files}`);
    config.io.stdout(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // No candidates; see above.
  }
}
