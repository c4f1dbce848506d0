// An S3-compatible server with a token service, for the tests of temporary credentials: SeaweedFS.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

// Its releases aren't Go modules, so the version is that of a commit.
const VERSION = 'v0.0.0-20261109003541-7506e5f91cd6';
const PACKAGE = 'github.com/seaweedfs/seaweedfs/weed';
// Go ignores the replacements of a module that isn't the main one.
const MODULE = `module seaweedfs.test

go 1.26

replace github.com/tyler-smith/go-bip39 => github.com/cosmos/go-bip39 v1.0.0
`;

/** The environment of the tests with TEST_SEAWEEDFS, if the program exists or can be built, which takes long. */
export async function withSeaweedFS(env) {
  if (env.TEST_SEAWEEDFS) return env;
  const program = join(cache, 's3', `weed-${VERSION}`);
  if (existsSync(program)) return { ...env, TEST_SEAWEEDFS: program };
  if (!onPath('go')) {
    console.log('SeaweedFS is not tried: it needs Go.');
    return env;
  }
  console.log('Building SeaweedFS for the tests …');
  const folder = mkdtempSync(join(tmpdir(), 'svc-seaweedfs-'));
  try {
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(join(folder, 'go.mod'), MODULE);
    const inFolder = { cwd: folder, env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' } };
    await quietly('go get', 'go', ['get', `${PACKAGE}@${VERSION}`], inFolder);
    await quietly('go build', 'go', ['build', '-o', program, PACKAGE], inFolder);
    return { ...env, TEST_SEAWEEDFS: program };
  } catch (error) {
    console.log(`SeaweedFS is not tried: ${error.message.split('\n').slice(-3).join(' ')}`);
    return env;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
