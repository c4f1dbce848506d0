export { EXAMPLES, MIGRATION } from './examples.ts';
export { recipeFiles, rowOf } from './recipe-files.ts';
export { copyWorkspace, type WorkspaceCopy } from './workspace-copy.ts';
