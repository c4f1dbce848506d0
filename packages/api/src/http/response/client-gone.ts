import type { Response } from 'express';

/** A signal that is aborted once the response is complete or its client has left, which may have happened before the call. */
export function clientGone(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.closed) gone.abort();
  else res.once('close', () => gone.abort());
  return gone.signal;
}
