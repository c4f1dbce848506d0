export { at, present } from './active-grant.ts';
export { requireAdminLeft } from './administrators.ts';
export {
  type Authorize,
  type AuthorizedRequest,
  authorizeRequest,
  type Caller,
  openAuthorizer,
  type ResolvedObject,
  type SignInMethod,
  type TableFiles,
} from './authorize-request.ts';
export { bootstrapAdmin } from './bootstrap-admin.ts';
export { createPrincipal } from './create-principal.ts';
export { deletePrincipal } from './delete-principal.ts';
export { listEffectiveGrants, type StoredGrant, toEffectiveGrant } from './effective-grants.ts';
export { GrantUses } from './grant-uses.ts';
export { type GranteeCandidate, listAffectedPrincipals, listGranteeCandidates } from './grantees.ts';
export {
  createGrant,
  endExpiredGrants,
  findDuplicateGrant,
  findGrant,
  type GrantFilter,
  type GrantObject,
  listGrants,
  type NewGrant,
  type RemovedGrant,
  revokeGrantsOf,
} from './grants.ts';
export {
  addMembers,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  listMembers,
  lockGroup,
  removeMembers,
} from './groups.ts';
export { hashToken } from './hash-token.ts';
export { listPrincipals } from './list-principals.ts';
export type { Lock } from './lock.ts';
export { GRANTS_ARRAY, GRANTS_ON_OBJECTS, INSTANCE_ID, namespaceChains } from './object-grants.ts';
export { findPrincipalAt, listGrantsAt, objectIdsEver } from './past-access.ts';
export {
  findPrincipal,
  findPrincipalById,
  isActivePrincipal,
  lockPrincipal,
  principalRecord,
  type StoredPrincipal,
} from './principals.ts';
export {
  correctSignInAttempts,
  countSignInAttempt,
  isKnownSignIn,
  rememberSignIn,
  removeOldSignInAttempts,
  type SignInAttempts,
} from './sign-in-throttle.ts';
export { type NewTokenScope, SCOPE_OF_TOKEN, storedScope } from './token-scope.ts';
export {
  bindToken,
  confirmSession,
  extendToken,
  findToken,
  listTokens,
  type NewToken,
  openTokenUses,
  replaceToken,
  revokeSessions,
  revokeToken,
  scopeFields,
  setSignInMethod,
  storeToken,
  type TokenUse,
} from './tokens.ts';
export { updatePrincipal } from './update-principal.ts';
export { Uses } from './uses.ts';
