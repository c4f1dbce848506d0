export { canDoMore } from './act-as.ts';
export {
  ACTIONS,
  ACTIONS_OF,
  type Action,
  ADMIN_ONLY,
  appliesWithin,
  parseEnum,
  ROLE_ACTIONS,
  ROLES,
  type Role,
  TASK_TOKEN_ACTIONS,
  takesRoles,
} from './actions.ts';
export { browserSessionSchema } from './contract/browser-session.ts';
export { accessEndpoints } from './contract/index.ts';
export { type Decision, decide, grantsAction, grantsWithin, hasAnyActionIn, type Via, viaOf } from './decide.ts';
export type { EffectiveGrant } from './effective-grant.ts';
export { grantCommand } from './grant-command.ts';
export {
  columnName,
  description,
  environmentName,
  isNamePart,
  namespacePath,
  principalName,
  repositoryName,
  tableName,
} from './names.ts';
export {
  covers,
  eventObject,
  INSTANCE,
  nameKey,
  namespaceChain,
  OBJECT_KINDS,
  type ObjectKind,
  type ObjectNames,
  type ObjectScope,
  scopeOf,
  scopeText,
} from './objects.ts';
export { MIN_PASSWORD_LENGTH, passwordWeakness } from './password-rules.ts';
export {
  type Grant,
  type Group,
  grantSchema,
  groupSchema,
  type Holder,
  issuedTokenSchema,
  meSchema,
  mintedTokenSchema,
  type Permissions,
  type Principal,
  permissionsSchema,
  principalSchema,
  type ReachedObject,
  type RevocationPreview,
  type TokenRecord,
  tokenSchema,
  viaSchema,
} from './records.ts';
export { type GrantProposal, type ProposedGrant, smallestGrants } from './smallest-grants.ts';
export { rotatedExpiry, tokenExpiry } from './token-lifetime.ts';
export { includesEnvironment, narrowGrants, outsideScope, READ_ONLY_ACTIONS, type TokenScope } from './token-scope.ts';
export { isTokenText, makeTokenText, TOKEN_PREFIX, type TokenKind } from './token-text.ts';
