export { MAX_QUERY_TABS, type QueryTab, queryTabEndpoints } from './contract.ts';
