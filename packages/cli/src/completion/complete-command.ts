/** Hidden command that prints candidates: one per line, with a description after a tab; `:files` stands for files. */
export const COMPLETE_COMMAND = '__complete';
