import type { Route } from '../http/route.ts';
import { identityRoutes } from './identities.ts';
import { providerRoutes } from './routes.ts';

export { browserSignIn } from './browser-sign-in.ts';
export { pollDeviceSignIn, startDeviceSignIn } from './device-sign-in.ts';
export { guardedFetch } from './guarded-fetch.ts';
export { ProviderClients } from './provider-clients.ts';
export { signInOptions } from './sign-in-options.ts';

export const identityProviderRoutes: Route[] = [...providerRoutes, ...identityRoutes];
