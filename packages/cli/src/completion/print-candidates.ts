import { escaped } from '../output/escape.ts';
import type { Io } from '../terminal/io.ts';
import { complete } from './candidates.ts';

/** Prints candidates for the shell function. Errors stay silent, because they would disturb the line being edited. */
export async function printCandidates(words: readonly string[], io: Io): Promise<void> {
  try {
    const { candidates, files } = await complete(words, io);
    const lines = candidates
      // Skip names with control characters: the shell would interpret them.
      .filter(({ text }) => escaped(text) === text)
      .map(({ text, description }) => (description === undefined ? text : `${text}\t${escaped(description)}`));
    if (files !== null) lines.push(`:${files}`);
    io.stdout(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // No candidates; see above.
  }
}
