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
  signRequestBody,
  updatePropertiesBody,
} from './bodies.ts';
export { commitActions, isCreate } from './commit-actions.ts';
export { ADVERTISED, CATALOG_ENDPOINTS, type CatalogEndpoint, type CatalogOperation } from './endpoints.ts';
export { type Identifier, levelsOf, MAX_LOCATION, pathFromText, pathOfLevels, requireName } from './names.ts';
export { readTokenRequest, type TokenRequest } from './oauth.ts';
export {
  badRequest,
  type CatalogErrorType,
  type CatalogNoun,
  CatalogRefusal,
  catalogRefusal,
  missing,
  nameHeld,
} from './refusal.ts';
