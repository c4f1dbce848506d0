import type { Caller, ServiceClient } from '../connections/service-client.ts';
import { fatal } from './session-error.ts';

/** How long one request waits. */
export const WAIT_SECONDS = 60;

/**
 * Waits until a query or a load has finished.
 *
 * @param first as it was when it started
 * @param url where it is read
 * @param remark for the client: what happens to the work if the service stops before it finishes
 * @throws SessionError if the service stops, ServiceError
 */
export async function untilFinished<T extends { readonly ended_at: string | null }>(
  first: T,
  { client, caller, isDraining }: { client: ServiceClient; caller: Caller; isDraining: () => boolean },
  url: string,
  remark = '',
): Promise<T> {
  let current = first;
  while (current.ended_at === null) {
    if (isDraining()) throw fatal('57P01', `terminating connection: the service is stopping${remark}`);
    current = await client.call<T>(caller, 'GET', `${url}?wait=${WAIT_SECONDS}`);
  }
  return current;
}
