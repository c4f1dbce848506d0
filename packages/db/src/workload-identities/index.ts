export {
  createWorkloadIdentity,
  deleteWorkloadIdentity,
  findWorkloadIdentity,
  listIdentitiesOfIssuer,
  listWorkloadIdentities,
  lockWorkloadIdentity,
  type StoredWorkloadIdentity,
  workloadIdentityRecord,
} from './workload-identities.ts';
