export { before, type Page, type PageRequest, type Position, pageOf } from './keyset.ts';
