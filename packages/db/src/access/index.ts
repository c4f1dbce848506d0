export { isAdministrator, requireAdminLeft } from './administrators.ts';
export {
  type Authorise,
  type AuthorisedRequest,
  authoriseRequest,
  type Caller,
  INSTANCE_ID,
  openAuthoriser,
  type ResolvedObject,
  type TableFiles,
} from './authorise-request.ts';
export { bootstrapAdmin } from './bootstrap-admin.ts';
export { createPrincipal } from './create-principal.ts';
export { endPrincipal } from './end-principal.ts';
export {
  createGrant,
  endGrantsOf,
  findDuplicateGrant,
  findGrant,
  type GrantFilter,
  type GrantObject,
  listGrants,
  type NewGrant,
  type RemovedGrant,
} from './grants.ts';
export {
  addMember,
  createGroup,
  endGroup,
  findGroup,
  listGroups,
  listMembers,
  lockGroup,
  removeMember,
} from './groups.ts';
export { hashToken } from './hash-token.ts';
export { asHeldGrants, heldGrants, type StoredHeldGrant, selectHeldGrants } from './held-grants.ts';
export { listHolders, type PossibleHolder, reachedBy } from './holders.ts';
export { listPrincipals } from './list-principals.ts';
export type { Lock } from './lock.ts';
export {
  findPrincipal,
  findPrincipalById,
  isActivePrincipal,
  lockPrincipal,
  principalRecord,
  type StoredPrincipal,
} from './principals.ts';
export {
  isKnownSignIn,
  rememberSignIn,
  removeOldSignInTries,
  type SignInTries,
  settleSignInTry,
  takeSignInTry,
} from './sign-in-throttle.ts';
export { bindToken, endSessions, findToken, listTokens, type NewToken, revokeToken, storeToken } from './tokens.ts';
export { updatePrincipal } from './update-principal.ts';
