import { escaped } from '../output/escape.ts';
import type { Io } from '../terminal/io.ts';
import { complete } from './candidates.ts';

/** What the shell's function reads. Whatever goes wrong, nothing is said: a key press is no place for errors. */
export async function answerShell(words: readonly string[], io: Io): Promise<void> {
  try {
    const { candidates, files } = await complete(words, io);
    const lines = candidates
      // A name that the shell would take for more than a name is not offered.
      .filter(({ text }) => escaped(text) === text)
      .map(({ text, about }) => (about === undefined ? text : `${text}\t${escaped(about)}`));
    if (files !== null) lines.push(`:${files}`);
    io.stdout(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // See above.
  }
}
