export {
  type SecondFactor,
  type SecondFactorAnswer,
  secondFactorEndpoints,
} from './contract.ts';
export { CONFIRMED_MINUTES, MAX_SECOND_FACTORS } from './limits.ts';
export { makeRecoveryCode, normalRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts';
