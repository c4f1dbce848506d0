export {
  createNamespace,
  describeNamespace,
  dropNamespace,
  findNamespace,
  listNamespaces,
  type NewNamespace,
  type VisiblePaths,
  visiblePathsSql,
} from './namespaces.ts';
