import type { Environment, MaintenanceRule } from '@svc/sdk';
import { requiredArg } from '../../arguments/flags.ts';
import { plural, time, yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class EnvGet extends SvcCommand<typeof EnvGet> {
  static override summary = 'Show an environment';
  static override examples = ['svc env get dev'];
  static override args = { name: requiredArg('name of the environment') };

  async run(): Promise<void> {
    const environment = await this.client.environments.get(this.args.name);
    const { id, name, description, retention_days: days, maintenance, created_at } = environment;
    this.record(environment, [
      ['name', name],
      ['id', id],
      ['protected', yesNo(environment.protected)],
      ['description', description],
      ['retention', days === null ? null : plural(days, 'day')],
      ['maintenance', maintenance === null ? null : ruleText(maintenance)],
      ['storage', storageText(environment)],
      ['created', time(created_at)],
    ]);
  }
}

function storageText({ storage_location: location, storage_secret: secret }: Environment): string | null {
  return location === null || secret === null ? location : `${location}, with the secret ${secret}`;
}

function ruleText({ compact, expire_snapshots_older_than_days: days }: MaintenanceRule): string {
  const parts = [compact ? 'compacted' : null, days === null ? null : `snapshots retained for ${plural(days, 'day')}`];
  return parts.filter((part) => part !== null).join(', ');
}
