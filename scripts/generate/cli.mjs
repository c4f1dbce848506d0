export { default } from '../../packages/cli/generate.mjs';
