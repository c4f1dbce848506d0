export { countRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
export { rekeySecondFactors } from './rekey.ts';
export {
  addSecondFactor,
  type Credential,
  hasSecondFactor,
  listSecondFactors,
  type NewSecondFactor,
  removeSecondFactors,
  renameSecondFactor,
  type StoredSecondFactor,
  type StoredSecurityKey,
  type StoredTotp,
  secondFactorRecord,
  totpSecretRow,
  useSecurityKey,
  useTotpStep,
} from './second-factors.ts';
