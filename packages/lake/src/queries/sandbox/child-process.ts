import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import type { ObjectStore, Stage } from '../../storage/index.ts';
import { ChildEngines } from './child-engines.ts';
import { type ChildExit, ChildExitedError, EngineError } from './child-errors.ts';
import { type ChildFolders, createChildFolder, type Inodes, inodesOf } from './child-folders.ts';
import type { ChildRequest, ChildResults, FromChild, ToChild } from './child-protocol.ts';
import { EngineCgroup } from './engine-cgroup.ts';
import type { SandboxLimits } from './limits.ts';
import { restricted } from './restricted.ts';
import { startProcess } from './start-process.ts';

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void };

const MEMORY_CHECK_EVERY_MS = 100;

/** A child for requests that any engine of the owner can answer. It may be taken only when it is needed. */
export interface ChildSource {
  readonly owner: string | undefined;
  readonly child: () => Promise<EngineChild>;
}

/**
 * One engine process: started with an empty environment in its own folder. `dispose` kills it and removes the folder.
 */
export class EngineChild implements ChildSource {
  readonly dir: string;
  /** The limits that its engines are opened with. */
  readonly limits: SandboxLimits;
  readonly ready: Promise<void>;
  private served: { readonly owner: string | undefined } | undefined;
  private readonly startedAt = performance.now();
  private readonly inodes: Inodes;
  private readonly cgroup: EngineCgroup | undefined;
  private stage: Promise<Stage> | undefined;
  readonly engines = new ChildEngines((request) => this.send(request));
  private readonly process: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private readonly exit: Promise<void>;
  private nextId = 1;
  private end: ChildExit | null = null;
  private exited = false;
  private memoryTimer: NodeJS.Timeout | undefined;
  private onProgress: ((percentage: number | null) => void) | undefined;
  private reportedRss = 0;
  private unwatch = (): void => undefined;
  private onSettled = (): void => undefined;

  private constructor(
    dir: string,
    limits: SandboxLimits,
    { read, stages, cgroup, inodes }: ChildFolders & { readonly inodes: Inodes },
  ) {
    this.dir = dir;
    this.limits = limits;
    this.inodes = inodes;
    const launcher = restricted({ read, write: [dir, stages] }, cgroup);
    this.process = startProcess(dir, limits, launcher);
    const { pid } = this.process;
    if (launcher !== null && cgroup !== null && pid !== undefined) this.cgroup = new EngineCgroup(cgroup, pid);
    this.exit = new Promise((resolve) => {
      this.process.once('exit', () => this.finish(resolve));
      // Keep the listener: several errors may arrive, and an unhandled one would crash this process.
      this.process.on('error', () => this.finish(resolve));
    });
    this.ready = new Promise((resolve, reject) => {
      this.waiting.set(0, { resolve: resolve as never, reject });
    });
    // The caller that takes the child sees the failure; a prefork that dies unnoticed must not crash this process.
    this.ready.catch(() => undefined);
    this.process.on('message', (message: FromChild) => this.receive(message));
  }

  /**
   * @param tempDir folder in which the child creates its own
   * @param folders what else it can open
   */
  static async start(tempDir: string, limits: SandboxLimits, folders: ChildFolders): Promise<EngineChild> {
    const dir = await createChildFolder(tempDir);
    const inodes = inodesOf([...folders.read, folders.stages]);
    return new EngineChild(dir, limits, { ...folders, inodes });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** The owner it works for; undefined if it hasn't been assigned, or for work without an owner. */
  get owner(): string | undefined {
    return this.served?.owner;
  }

  /** The sandbox calls this when it assigns the child: to one owner for its whole life, or once without an owner. */
  serve(owner: string | undefined): void {
    if (this.served !== undefined && (owner === undefined || owner !== this.served.owner))
      throw new Error('An engine process was assigned to a second owner.');
    this.served = { owner };
  }

  async child(): Promise<EngineChild> {
    return this;
  }

  /** The folder in which its engines write results, so that the store can adopt them. It belongs to the child alone. */
  async resultDir(store: Pick<ObjectStore, 'openStage'>): Promise<string> {
    this.stage ??= store.openStage();
    try {
      return (await this.stage).dir;
    } catch (error) {
      // The storage may be back for the next query.
      this.stage = undefined;
      throw error;
    }
  }

  /** Ends the child if the folder for its results is gone: its engines can't write to any other. */
  async checkResultDir(): Promise<void> {
    const dir = await this.stage?.then((stage) => stage.dir);
    const isGone = dir !== undefined && !(await fs.stat(dir).catch(() => null));
    if (isGone || !this.canOpenFolders()) this.kill('engine-died');
  }

  /** Whether its folders are still those that existed when it started: the system opens no others to it. */
  canOpenFolders(): boolean {
    const inodes = inodesOf(this.inodes.keys());
    return [...this.inodes].every(([folder, inode]) => inodes.get(folder) === inode);
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  get alive(): boolean {
    return !this.exited && this.end === null;
  }

  /** Starts watching: bytes of the process's own memory, time in milliseconds from now. */
  watch(options: {
    readonly memoryLimit: number;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((percentage: number | null) => void) | undefined;
  }): void {
    this.onProgress = options.onProgress;
    const timeout = setTimeout(() => this.kill('timeout'), options.timeoutMs);
    const cancel = () => this.kill('cancelled');
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener('abort', cancel, { once: true });
    // Without it, only the watchdog enforces the limit.
    this.cgroup?.limit(options.memoryLimit).catch(() => undefined);
    this.memoryTimer = setInterval(() => this.checkMemory(options.memoryLimit), MEMORY_CHECK_EVERY_MS);
    this.unwatch = () => {
      clearTimeout(timeout);
      clearInterval(this.memoryTimer);
      options.signal?.removeEventListener('abort', cancel);
      this.onProgress = undefined;
      // A child that waits for its owner's next query must not retain anything that was watched.
      this.unwatch = () => undefined;
    };
    if (this.exited) this.unwatch();
  }

  /**
   * Waits until all requests are done, also those without a waiting caller, within the limits of the watch. Then stops the
   * watch, and returns the bytes of memory in use.
   */
  async settle(): Promise<number> {
    this.onProgress = undefined;
    this.engines.finishWork();
    if (this.waiting.size > 0) await new Promise<void>((resolve) => (this.onSettled = resolve));
    if (!this.alive) throw new ChildExitedError(this.end ?? 'engine-died');
    this.unwatch();
    return this.reportedRss;
  }

  async send<O extends ChildRequest['op']>(request: Extract<ChildRequest, { op: O }>): Promise<ChildResults[O]> {
    if (!this.alive) throw new ChildExitedError(this.end ?? 'engine-died');
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      // Registered before the child is ready, so that `settle` waits for it. If the child exits, `finish` rejects it.
      this.waiting.set(id, { resolve: resolve as never, reject });
      const message: ToChild = { id, request };
      this.ready.then(
        () => this.process.send(message, (error) => error && this.kill('engine-died')),
        () => undefined,
      );
    });
  }

  /** Kills the process permanently and removes its folder. */
  async dispose(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exit;
    await fs.rm(this.dir, { recursive: true, force: true });
    // The sweep removes what is left of it.
    await this.stage?.then((stage) => stage.close()).catch(() => undefined);
  }

  private kill(reason: ChildExit): void {
    this.end ??= reason;
    this.process.kill('SIGKILL');
  }

  private receive(message: FromChild): void {
    if (message.kind === 'progress') {
      this.reportedRss = message.rss;
      // The engine reports no progress for some queries; due to a race, it may even stop reporting for one it reported
      // before.
      this.onProgress?.(message.percentage < 0 ? null : message.percentage);
      return;
    }
    if (message.kind !== 'ready') this.reportedRss = message.rss;
    const id = message.kind === 'ready' ? 0 : message.id;
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (message.kind === 'error') waiting?.reject(new EngineError(message.message, message.statement));
    else waiting?.resolve((message.kind === 'answer' ? message.value : undefined) as never);
    if (this.waiting.size === 0) this.onSettled();
  }

  private finish(resolve: () => void): void {
    this.exited = true;
    this.unwatch();
    // Sending to a process that was just killed fails too.
    if ((this.end ?? 'engine-died') === 'engine-died' && this.cgroup?.ranOut()) this.end = 'out-of-memory';
    this.cgroup?.remove();
    for (const { reject } of this.waiting.values()) reject(new ChildExitedError(this.end ?? 'engine-died'));
    this.waiting.clear();
    this.onSettled();
    resolve();
  }

  private checkMemory(limit: number): void {
    const bytes = privateMemory(this.process.pid) ?? this.reportedRss;
    if (bytes > limit) this.kill('out-of-memory');
  }
}

/**
 * Memory that belongs to the process alone, if the system reports it (Linux); otherwise null, and the child's own
 * reports count. Pages of the program's files (some 90 MB) are excluded: all children share them, and the system
 * reclaims them. Synchronous, because the system has the answer in memory.
 */
function privateMemory(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(
      ([, kilobytes]) => Number(kilobytes) * 1024,
    );
    return own.length === 0 ? null : own.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return null;
  }
}
