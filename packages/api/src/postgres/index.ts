export { sessionRoutes } from './session-routes.ts';
export { type SqlEndpoint, startSqlEndpoint } from './sessions/endpoint.ts';
