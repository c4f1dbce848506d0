export {
  exchangedTokenSchema,
  tokenExchangeBody,
  type WorkloadIdentity,
  workloadIdentityEndpoints,
  workloadIdentitySchema,
} from './contract.ts';
export { subjectFailure, type WorkloadRule, workloadMatches } from './subject.ts';
