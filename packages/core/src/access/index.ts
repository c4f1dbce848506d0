export {
  ACTIONS,
  ACTIONS_OF,
  type Action,
  ADMIN_ONLY,
  appliesWithin,
  ROLE_ACTIONS,
  ROLES,
  type Role,
  readWord,
  TASK_TOKEN_ACTIONS,
} from './actions.ts';
export { accessEndpoints } from './contract/index.ts';
export { type Decision, decide, grantsAction, mayDoAnythingIn, type Via, viaOf } from './decide.ts';
export { grantCommand } from './grant-command.ts';
export type { HeldGrant } from './held-grant.ts';
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
  type ObjectScope,
  scopeOf,
  scopeSchema,
  scopeText,
} from './objects.ts';
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
export { shellCommand, shellOption, shellWord } from './shell-words.ts';
export { isTokenText, makeTokenText, TOKEN_PREFIX, type TokenKind } from './token-text.ts';
