export { default } from '../../packages/cli/surfaces.mjs';
