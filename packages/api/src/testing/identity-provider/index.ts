export { CLIENT, startIdentityProvider, type TestIdentityProvider } from './certified-provider.ts';
export { type ForgingProvider, startForgingProvider } from './forging-provider.ts';
