export { PROBLEMS, type ProblemCode } from './catalogue.ts';
export { nearestName } from './nearest.ts';
export {
  type Failure,
  failureSchema,
  type InputError,
  invalid,
  Problem,
  type ProblemBody,
  type ProblemOptions,
  problemSchema,
} from './problem.ts';
