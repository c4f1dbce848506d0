export {
  bindCommand,
  consumerCommand,
  createCommand,
  nameCommand,
  rotateCommand,
  type SecretConsumer,
} from './commands.ts';
export { type Secret, secretEndpoints, secretSchema } from './contract.ts';
export { credentialSecret, secretName } from './name.ts';
export {
  credentialError,
  examineValues,
  MAX_CREDENTIAL_LENGTH,
  SECRET_USES,
  type SecretFacts,
  type SecretUse,
  secretWarnings,
  sshKeyError,
} from './values.ts';
