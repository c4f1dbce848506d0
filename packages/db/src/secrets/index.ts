export { type RekeyedBatch, type RekeyOptions, rekeyBatch, rekeySecrets } from './rekey.ts';
export { SealError, type Sealed, type SealedRow, type SealingKeys, seal, sealingKeys, unseal } from './seal.ts';
export {
  bindSecret,
  createSecret,
  findSealed,
  findSecret,
  listSecrets,
  removeBindings,
  revokeSecret,
  rotateSecret,
  type SecretBinding,
  secretsBoundTo,
  secretsNamed,
} from './secrets.ts';
export { type StoredSecret, secretRecord } from './stored-secret.ts';
