import { bindCommand, type SecretConsumer } from '@svc/core/secrets';
import { findPackageIndex } from '@svc/db/package-indexes';
import { findRepository } from '@svc/db/repositories';
import type { SecretBinding, StoredSecret } from '@svc/db/secrets';
import { notifyingJobs } from '@svc/db/webhooks';
import type { Context } from '../http/context.ts';
import { bindingOf, consumerText } from './naming.ts';

/** Maximum number of names in a warning. */
const SHOWN = 5;

/** Warnings about everything that stops working when a secret moves to another use. */
export async function findStoppedConsumers(ctx: Context, secret: StoredSecret, to: SecretBinding): Promise<string[]> {
  const { name, environment, use } = secret;
  if (use === null) return [];
  if (use === 'environment') {
    if (to.use === 'environment') return [];
    const jobs = await notifyingJobs(ctx.db, { environmentId: secret.environment_id, secret: name });
    if (jobs.length === 0) return [];
    const more = jobs.length > SHOWN ? ` and ${jobs.length - SHOWN} more` : '';
    const listed = `${jobs.slice(0, SHOWN).join(', ')}${more}`;
    const back = bindCommand(name, environment, null);
    return [
      `the webhook of ${jobs.length === 1 ? 'the job' : 'the jobs'} ${listed} in ${environment} is no longer called: ${back}`,
    ];
  }
  const consumer = await findConsumer(ctx, secret);
  if (consumer === null) return [];
  const { id } = bindingOf(consumer);
  if (to.use === consumer.kind && to.id === id) return [];
  const stops = use === 'package-index' ? 'deploys and runs that take packages from it' : 'deploys that fetch it';
  const back = bindCommand(name, environment, consumer);
  return [
    `${consumerText(consumer)} still names this secret: ${stops} stop in ${environment} until it is bound again: ${back}`,
  ];
}

/** The index or repository that a secret is bound to, if it names the secret as its credential. */
async function findConsumer(ctx: Context, secret: StoredSecret): Promise<(SecretConsumer & { id: string }) | null> {
  const { name, index, repository } = secret;
  const [kind, found] =
    index === null
      ? (['repository', repository === null ? null : await findRepository(ctx.db, repository)] as const)
      : (['package-index', await findPackageIndex(ctx.db, index)] as const);
  return found?.credential_secret === name ? { kind, id: found.id, name: found.name } : null;
}
