export { completeForms } from './browser.ts';
export { startIdentityProvider, type TestIdentityProvider } from './certified-provider.ts';
export { CLIENT } from './client.ts';
export { type ForgingProvider, startForgingProvider } from './forging-provider.ts';
export { type OtherProvider, startDex, startKeycloak } from './other-providers.ts';
