export { nearestName, nearestNames } from './nearest.ts';
export { shellArgument, shellCommand, shellLine, shellOption } from './shell-arguments.ts';
