// Docker or podman, for the trials of the images.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** A container engine with the flags that this machine needs. */
export class ContainerEngine {
  constructor(program) {
    this.program = program;
    const isPodman = program.endsWith('podman');
    // Without systemd, podman can't have it create cgroups.
    this.flags = isPodman && !existsSync('/run/systemd/system') ? ['--cgroup-manager', 'cgroupfs'] : [];
    // Docker's format: the other one has no health checks. Without times, the same tree makes the same layers.
    this.buildFlags = isPodman ? ['--format', 'docker', '--isolation', 'chroot', '--timestamp', '0'] : [];
  }

  /** The standard output of a command. */
  async run(...args) {
    return (await this.runWithErrors(...args)).stdout.trim();
  }

  runWithErrors(...args) {
    return promisify(execFile)(this.program, [...this.flags, ...args], { maxBuffer: 64 * 1024 * 1024 });
  }

  /** Runs a command whose output is shown. */
  show(args, options = {}) {
    execFileSync(this.program, [...this.flags, ...args], { stdio: ['inherit', 2, 2], ...options });
  }

  has(...args) {
    return spawnSync(this.program, [...this.flags, ...args], { stdio: 'ignore' }).status === 0;
  }
}

/** The engine that CONTAINER_ENGINE names, otherwise podman or docker; null if neither works here. */
export function findEngine() {
  const candidates = process.env.CONTAINER_ENGINE ? [process.env.CONTAINER_ENGINE] : ['podman', 'docker'];
  return candidates.map((program) => new ContainerEngine(program)).find((engine) => engine.has('info')) ?? null;
}
