export {
  bindCommand,
  createCommand,
  holderCommand,
  nameCommand,
  rotateCommand,
  type SecretHolder,
} from './commands.ts';
export { type Secret, secretEndpoints, secretSchema } from './contract.ts';
export { credentialSecret, secretName } from './name.ts';
export {
  credentialFault,
  examineValues,
  LONGEST_CREDENTIAL,
  SECRET_USES,
  type SecretFacts,
  type SecretUse,
  secretWarnings,
  sshKeyFault,
} from './values.ts';
