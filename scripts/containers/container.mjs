// One container of svc and its clients.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { freePort } from '../testing/free-port.mjs';

export const TOKEN = 'trial-token-of-the-administrator';

/** As docs/operations/containers.md and compose.yaml run them. */
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
// A machine may let root set limits no higher than these.
export const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];

/** A container that can be killed and started again. */
export class Container {
  /**
   * @param volume of `/var/lib/svc`; without one, the container has its own
   * @param mounts other folders, as `FOLDER:PATH:OPTIONS`
   * @param program what Node runs instead of the image's program
   */
  static async start(engine, image, { env, volume = null, mounts = [], program = null, url = null }) {
    const name = `svc-trial-${randomUUID().slice(0, 8)}`;
    const set = Object.entries({ SVC_LOG__LEVEL: 'warn', ...env }).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const all = volume === null ? mounts : [`${volume}:/var/lib/svc`, ...mounts];
    const flags = [...HARDENED, ...LIMITS, ...all.flatMap((mount) => ['-v', mount]), ...set];
    const command = program === null ? [image] : ['--entrypoint', 'node', image, program];
    await engine.run('run', '-d', '--name', name, '--network', 'host', ...flags, ...command);
    return new Container(engine, name, url);
  }

  constructor(engine, name, url) {
    this.engine = engine;
    this.name = name;
    this.url = url;
  }

  /** Waits until it serves requests. */
  async ready() {
    const isReady = () =>
      fetch(`${this.url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
    while (!(await isReady())) {
      if (!(await this.isRunning())) throw new Error(`${this.name} has exited:\n${await this.logs()}`);
      await pause(200);
    }
  }

  async isRunning() {
    return (await this.engine.run('inspect', '--format', '{{.State.Running}}', this.name)) === 'true';
  }

  exec(...args) {
    return this.engine.run('exec', this.name, ...args);
  }

  async logs() {
    const { stdout, stderr } = await this.engine.runWithErrors('logs', this.name);
    return stdout + stderr;
  }

  async kill() {
    await this.engine.run('kill', '--signal', 'KILL', this.name);
    await this.engine.run('wait', this.name);
  }

  async startAgain() {
    await this.engine.run('start', this.name);
  }

  /** Stops it on request; it must exit with 0. */
  async stop() {
    await this.engine.run('stop', '--time', '30', this.name);
    const code = await this.engine.run('inspect', '--format', '{{.State.ExitCode}}', this.name);
    if (code !== '0') throw new Error(`${this.name} exited with ${code} when it was stopped:\n${await this.logs()}`);
  }

  async remove() {
    await this.engine.run('rm', '--force', '--volumes', this.name);
  }
}

export async function freeAddress() {
  const address = `127.0.0.1:${await freePort()}`;
  return { address, url: `http://${address}` };
}

/** The output of a command line of svc. */
export async function svc(url, ...args) {
  const program = join(root, 'packages/cli/bin/run.cjs');
  const env = { ...process.env, SVC_URL: url, SVC_TOKEN: TOKEN, SVC_ENV: 'dev', NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
  return stdout.trim();
}

export function check(what, found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, found ${a}`);
}
