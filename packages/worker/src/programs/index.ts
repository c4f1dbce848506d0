export { findPython, findUv, type InstalledTool } from './find-tools.ts';
