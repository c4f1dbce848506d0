export { findObjects, type Search, type SearchPosition, type SearchScope } from './find-objects.ts';
