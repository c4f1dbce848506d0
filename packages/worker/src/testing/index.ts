export { buildLimitsHere } from './build-limits-here.ts';
export { isolationHere } from './isolation-here.ts';
export { landlockHere } from './landlock-here.ts';
export { limitedHere } from './limited-here.ts';
export { type LockedPackage, lockText, pyprojectText } from './lock-text.ts';
export { type PrivateIndex, type ServedPart, startPrivateIndex } from './private-index.ts';
export { processesWith } from './processes-with.ts';
export { openTestSandbox } from './test-sandbox.ts';
export { makeWheel, type TestWheel } from './wheel.ts';
