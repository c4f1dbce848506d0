export { repositoryAddress } from './address.ts';
export { gitRef, type Repository, repositoryEndpoints, repositorySchema } from './contract.ts';
