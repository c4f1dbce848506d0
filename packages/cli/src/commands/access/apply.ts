import { readFile } from 'node:fs/promises';
import { boolean } from '@oclif/core/flags';
import { type AccessChange, type AccessFile, changeText, compareAccess, parseAccessFile } from '@svc/core/access-file';
import { makeAccessChange, unknownNames } from '../../access-file/access-changes.ts';
import { readAccess } from '../../access-file/current-access.ts';
import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { readStdin } from '../../terminal/stdin.ts';

export default class AccessApply extends SvcCommand<typeof AccessApply> {
  static override summary = 'Make groups and grants match a file';
  static override description =
    'Adds what the file has and the instance lacks. Removes nothing unless you add --prune. After a failure, run it again: it makes only the changes that are missing.';
  static override examples = ['svc access apply access.yaml --dry-run', 'svc access apply access.yaml --prune --yes'];
  static override args = { file: requiredArg('file with groups and grants; - reads standard input') };
  static override flags = {
    'dry-run': boolean({ description: 'show the changes, and make none' }),
    prune: boolean({ description: "remove grants, members and groups that the file doesn't have" }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const file = await this.#read();
    const { changes, unlisted } = compareAccess(await readAccess(this.client), file);
    const problems = await unknownNames(this.client, changes);
    if (problems.length > 0) throw usageError(problems.join('\n'));
    const { prune } = this.flags;
    const all = prune ? [...changes, ...unlisted] : changes;
    if (this.flags['dry-run']) {
      if (!this.json) for (const change of all) this.print(escaped(changeText(change)));
    } else await this.#make(all);
    if (this.json)
      return this.printJson({ applied: !this.flags['dry-run'], changes: all, unlisted: prune ? [] : unlisted });
    this.#summarize(all, prune ? 0 : unlisted.length);
  }

  async #read(): Promise<AccessFile> {
    const { file: path } = this.args;
    const text =
      path === '-'
        ? await readStdin(this.io)
        : await readFile(path, 'utf8').catch(() => {
            throw usageError(`The file ${path} can't be read.`);
          });
    const { file, problems } = parseAccessFile(text);
    if (file === null) throw usageError(problems.map((problem) => `${path}: ${problem}`).join('\n'));
    return file;
  }

  async #make(changes: readonly AccessChange[]): Promise<void> {
    const removals = changes.filter(({ change }) => change === 'remove').length;
    if (removals > 0 && !this.flags.yes) {
      for (const change of changes) this.note(escaped(changeText(change)));
      await this.confirm(`Make ${changes.length} changes, of which ${removals} remove access?`);
    }
    for (const [made, change] of changes.entries()) {
      try {
        await makeAccessChange(this.client, change);
      } catch (error) {
        const what = escaped(changeText(change));
        this.note(`${made} of ${changes.length} changes were made. The next one failed: ${what}`);
        throw error;
      }
      if (!this.json) this.print(escaped(changeText(change)));
    }
  }

  #summarize(changes: readonly AccessChange[], others: number): void {
    const added = changes.filter(({ change }) => change === 'add').length;
    const removed = changes.length - added;
    const [add, remove] = this.flags['dry-run'] ? ['to add', 'to remove'] : ['added', 'removed'];
    const counts = `${added} ${add}${removed === 0 ? '' : `, ${removed} ${remove}`}.`;
    this.note(changes.length === 0 ? 'Groups and grants match the file.' : counts);
    if (others > 0) this.note(`${others} others are only on the instance. Add --prune to remove them.`);
  }
}
