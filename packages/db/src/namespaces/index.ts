export {
  createNamespace,
  describeNamespace,
  dropNamespace,
  findNamespace,
  listNamespaces,
  type NewNamespace,
  type VisiblePaths,
} from './namespaces.ts';
