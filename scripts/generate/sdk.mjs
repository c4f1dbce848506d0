export { default } from '../../packages/sdk/generate.mjs';
