import { string } from '@oclif/core/flags';
import { diffLines, hunksOf } from '@svc/core/line-diff';
import type { VersionChanges } from '@svc/sdk';
import { envFlag, idArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { assetLines, jobLines } from '../../texts/deploy-text.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

export default class ProjectVersionDiff extends SvcCommand<typeof ProjectVersionDiff> {
  static override summary = 'Compare a project version with another one';
  static override examples = ['svc project-version diff 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override description =
    'Lists the assets and jobs that differ, and the lines of SQL and Python files. With DEPLOY you see all of them, otherwise those of the tables that you can read.';
  static override args = { id: idArg('project version') };
  static override flags = {
    ...envFlag,
    against: string({ description: 'version to compare with (default: the one deployed before)', helpValue: 'ID' }),
  };

  async run(): Promise<void> {
    const { against } = this.flags;
    const changes = await this.client.projectVersions.compare(
      this.environment,
      await this.fullId('project version', this.args.id),
      against === undefined ? {} : { against: await this.fullId('project version', against) },
    );
    this.done(
      changes,
      changes.against === null
        ? `${changes.project_version_id} is the first version.`
        : `${changes.project_version_id} compared with ${changes.against}:`,
    );
    if (this.json) return;
    for (const line of [...assetLines(changes), ...jobLines(changes), ...changes.sources.flatMap(sourceLines)])
      this.print(line);
    const { omitted_sources: omitted } = changes;
    if (omitted > 0) this.note(`${plural(omitted, 'file')} more: too large, or of tables that you can't read`);
  }
}

/** A source as `diff -u` shows it. */
function sourceLines({ file, before, after }: VersionChanges['sources'][number]): string[] {
  const hunks = hunksOf(diffLines(before, after)).map((lines) => {
    const of = (side: 'before' | 'after') => {
      const numbers = lines.flatMap((line) => line[side] ?? []);
      return `${numbers[0] ?? 0},${numbers.length}`;
    };
    return [
      `@@ -${of('before')} +${of('after')} @@`,
      ...lines.map(({ kind, text }) => SIGNS[kind] + text.replaceAll('\t', '    ')),
    ];
  });
  return [
    `--- ${before === null ? '/dev/null' : file}`,
    `+++ ${after === null ? '/dev/null' : file}`,
    ...hunks.flat(),
  ].map(escaped);
}
