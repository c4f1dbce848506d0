export { emailAddress, type IdentityClaims, readClaims } from './claims.ts';
export {
  type IdentityProvider,
  identityProviderEndpoints,
  identityProviderSchema,
  identitySchema,
  type SignInMethods,
  signInMethodsSchema,
} from './contract.ts';
export { type FirstSignIn, firstSignIn } from './first-sign-in.ts';
export { issuerFailure } from './issuer.ts';
export { REFUSAL_REASONS, type RefusalReason, SIGN_IN_FAILURES, type SignInFailure } from './refusals.ts';
