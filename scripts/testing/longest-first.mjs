// Runs the longest test files first, so that none of them runs alone at the end.
import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { root } from '../bootstrap/stamp.mjs';

/** Seconds of the longest test files, for a clone that hasn't run them yet. */
const LONGEST = {
  'apps/standalone/src/tests/documentation/documents.test.ts': 116,
  'apps/standalone/src/tests/operations/crashes.test.ts': 100,
  'packages/db/src/embedded/embedded.test.ts': 96,
  'packages/lake/src/queries/statement/names.test.ts': 92,
  'packages/worker/src/jobs/model.test.ts': 76,
  'apps/standalone/src/tests/operations/storage-away.test.ts': 73,
  'apps/standalone/src/tests/projects/projects.test.ts': 69,
  'packages/cli/src/tests/end-to-end.test.ts': 52,
  'packages/lake/src/queries/damaged-files.test.ts': 48,
  'apps/standalone/src/tests/contract/fuzz.test.ts': 48,
  'apps/standalone/src/tests/projects/python-assets.test.ts': 48,
  'apps/standalone/src/tests/projects/jobs.test.ts': 43,
  'apps/standalone/src/tests/operations/start-up.test.ts': 42,
  'packages/lake/src/writes/load.test.ts': 41,
  'apps/standalone/src/tests/operations/database-killed.test.ts': 37,
};

export default class LongestFirst extends TestSequencer {
  /** Milliseconds of a file's last run; without one, roughly one for each of its bytes. */
  time(test) {
    const seconds = LONGEST[relative(root, test.path)];
    return super.time(test) ?? (seconds ? seconds * 1000 : (test.context.hasteFS.getSize(test.path) ?? 0));
  }
}
