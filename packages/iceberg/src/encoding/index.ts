export { decimalBytes } from './decimals.ts';
export { DeletionVectorError, MAX_VECTOR_BYTES, readDeletionVector, type VectorBounds } from './deletion-vector.ts';
export { murmur3, murmur3OfLong } from './murmur3.ts';
