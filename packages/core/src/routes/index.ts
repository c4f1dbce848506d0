export { ALL_ENDPOINTS, endpoints } from './endpoints.ts';
export { needText, openApiDocument } from './openapi.ts';
export { RESOURCES } from './resources.ts';
