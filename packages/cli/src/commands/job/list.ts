import { string } from '@oclif/core/flags';
import { envFlag, listFlags } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { JOB_COLUMNS, stateSentence } from '../../texts/job-text.ts';

export default class JobList extends SvcCommand<typeof JobList> {
  static override summary = 'List the jobs of an environment';
  static override examples = ['svc job list --env dev'];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only this repository', helpValue: 'NAME' }),
    ...listFlags,
  };

  async run(): Promise<void> {
    const jobs = await this.client.jobs.list(this.environment, { repository: this.flags.repo });
    await this.list(jobs, JOB_COLUMNS, `No jobs in ${this.environment}.`);
    if (this.json) return;
    const sentences = jobs.map(stateSentence).filter((sentence) => sentence !== null);
    if (sentences.length > 0) this.print('');
    for (const sentence of sentences) this.print(escaped(sentence));
  }
}
