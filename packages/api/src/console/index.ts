export { type ConsoleAsset, type ConsoleFiles, consoleFolder, copyOf, readConsole } from './files.ts';
