export {
  endProviderSessions,
  findLinked,
  findSignInMethods,
  isUnlinked,
  linkIdentity,
  lockPersonByEmail,
  lockSubject,
  rememberIdentity,
  setEmail,
  unlinkIdentity,
} from './identities.ts';
export { type ChangedMemberships, endMemberships, followGroups } from './memberships.ts';
export {
  createProvider,
  deleteProvider,
  findClientSecret,
  findProvider,
  type GroupMapping,
  listProviders,
  lockProviderById,
  type ProviderFields,
  providerRecord,
  type StoredProvider,
  updateProvider,
} from './providers.ts';
export { clientSecretRow, rekeyClientSecrets } from './rekey.ts';
