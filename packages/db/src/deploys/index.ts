export { findBundle, type NewBundle, storeBundle, takeExpiredBundles } from './bundles.ts';
export {
  bindRunPrincipal,
  deploymentRecord,
  endDeployment,
  findDeployment,
  findDeploymentsOf,
  listDeployments,
  type StoredDeployment,
  setCurrentVersion,
} from './deployments.ts';
export {
  type DeployEnd,
  endDeploy,
  findDeploy,
  isSuperseded,
  listDeploys,
  lockProject,
  type NewDeploy,
  submitDeploy,
} from './deploys.ts';
export {
  findVersion,
  findVersions,
  type NewVersion,
  type StoredVersion,
  storeVersion,
  versionRecord,
} from './project-versions.ts';
export { deployRecord, type StoredDeploy } from './stored-deploy.ts';
