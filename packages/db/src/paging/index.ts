export { before, idsOf, type Page, type PageRequest, type Position, pageOf } from './keyset.ts';
