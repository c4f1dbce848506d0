export {
  type CommitBody,
  commitBody,
  commitTransactionBody,
  createNamespaceBody,
  createTableBody,
  createViewBody,
  metricsBody,
  registerBody,
  renameBody,
  type SignRequestBody,
  signRequestBody,
  updatePropertiesBody,
} from './bodies.ts';
export {
  badRequest,
  CatalogError,
  type CatalogErrorType,
  type CatalogNoun,
  missing,
  nameTakenError,
  toCatalogError,
} from './catalog-error.ts';
export { commitActions, isCreate } from './commit-actions.ts';
export { ADVERTISED, CATALOG_ENDPOINTS, type CatalogEndpoint, type CatalogOperation } from './endpoints.ts';
export { type Identifier, levelsOf, MAX_LOCATION, pathFromText, pathOfLevels, requireName } from './names.ts';
export { readTokenRequest, type TokenRequest } from './oauth.ts';
export { STAGING_NAMESPACE, stagingId, stagingName } from './staging.ts';
