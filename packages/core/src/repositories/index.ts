export { gitRef, type Repository, repositoryEndpoints, repositorySchema } from './contract.ts';
