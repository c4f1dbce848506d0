export { type FoundTool, findPython, findUv } from './find-tools.ts';
