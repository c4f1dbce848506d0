export { SEARCH_KINDS, type SearchKind, type SearchResult, searchEndpoints } from './contract.ts';
