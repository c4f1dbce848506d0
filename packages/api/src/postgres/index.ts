export { type SqlEndpoint, startSqlEndpoint } from './connections/endpoint.ts';
export { sessionRoutes } from './session-routes.ts';
