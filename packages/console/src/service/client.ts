import { SvcClient } from '@svc/sdk/browser';

let csrfToken: string | undefined;

/** Sets what requests that change something send. It is only ever in memory. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** The client of the service that served this page; the session's cookie authenticates. */
export const svc = new SvcClient({ csrfToken: () => csrfToken });
