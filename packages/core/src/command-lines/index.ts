export { shellArgument, shellCommand, shellLine, shellOption } from './shell-arguments.ts';
