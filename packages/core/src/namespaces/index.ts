export { type Namespace, namespaceEndpoints, namespaceParams, namespaceSchema } from './contract.ts';
