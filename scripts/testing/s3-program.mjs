// The S3-compatible server for the tests of bucket storage.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

// From 1.8 on, it publishes an object under a lock: of two concurrent writers of a new object, one is refused.
const VERSION = 'v1.8.0';
const MODULE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;

/**
 * The environment of the tests, with TEST_S3_SERVER if the program exists. CI builds it with Go, which takes
 * some minutes; outside CI it is used only if the variable names it or an earlier run built it.
 */
export async function withS3Program(env) {
  const folder = join(cache, 's3', VERSION);
  const program = join(folder, 'versitygw');
  if (env.TEST_S3_SERVER) return env;
  if (!existsSync(program)) {
    if (!env.CI || !onPath('go')) return env;
    console.log('Building an S3-compatible server for the tests …');
    const built = await quietly('go install', 'go', ['install', MODULE], { env: { ...env, GOBIN: folder } }).then(
      () => true,
      (error) => {
        console.log(`The store in a bucket is not tried: ${error.message.split('\n').slice(-3).join(' ')}`);
        return false;
      },
    );
    if (!built) return env;
  }
  return { ...env, TEST_S3_SERVER: program };
}
