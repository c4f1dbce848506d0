export { placesLoop, placesOf } from './places.ts';
export { storageRefusal } from './storage-refusal.ts';
