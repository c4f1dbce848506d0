import { listProviders } from '@svc/db/identity-providers';
import type { RequestHandler } from 'express';
import type { ApiDeps } from '../http/deps.ts';

/** What the sign-in page offers. It reveals nothing else about providers. */
export function signInOptions({ db, settings }: ApiDeps): RequestHandler {
  return async (_req, res) => {
    const providers = (await listProviders(db.prisma)).filter(({ active }) => active).map(({ name }) => name);
    res.status(200).set('Cache-Control', 'no-store').json({ passwords: settings.passwords, providers });
  };
}
