/** The word that asks the program for candidates: a line each, a tab before what it is about; `:files` asks for files. */
export const ASK = '__complete';
