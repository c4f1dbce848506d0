export { default } from '../../packages/sdk/surfaces.mjs';
