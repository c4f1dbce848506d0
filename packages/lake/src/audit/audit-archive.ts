import type { ArchivedEvent, ArchivePage, EventArchive } from '@svc/core/audit';
import { boundsOf, type Comparable, joinLocation, readTableScan } from '@svc/iceberg';
import type { ObjectStore } from '../storage/index.ts';
import type { ArchiveEngine } from './archive-engine.ts';
import { EVENT_FIELDS, EventDigest } from './event-columns.ts';
import { type ArchiveTarget, type WrittenArchive, writeArchive } from './write-archive.ts';

export type { WrittenArchive } from './write-archive.ts';

/** A data file, the times of its first and last event, and their lowest and highest number. */
interface BoundedFile {
  readonly location: string;
  readonly from: Date;
  readonly to: Date;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * The archived parts of the audit log: each is an Iceberg table in the instance's own storage, whose data files are in the order of
 * time and id. Runs an engine in this process, as for results: the files are the service's own and the statements are fixed, so no sandbox
 * is needed.
 */
export class AuditArchive implements EventArchive {
  private readonly store: ObjectStore;
  private engine: Promise<ArchiveEngine> | undefined;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** A new folder for an archive. An attempt that fails leaves its folder for `removeAbandoned`. */
  locationOf(id: string): string {
    return joinLocation(this.folder, id);
  }

  get folder(): string {
    return `${this.store.root}/audit`;
  }

  /** Writes events, which come in order, as a new table, then reads them again. @throws if the files don't have the same events */
  async write(events: AsyncIterable<ArchivedEvent>, target: ArchiveTarget): Promise<WrittenArchive> {
    const expected = new EventDigest();
    const counted = async function* () {
      for await (const event of events) {
        expected.add(event);
        yield event;
      }
    };
    const written = await writeArchive(this.store, await this.open(), counted(), target);
    const found = new EventDigest();
    for (const { location } of await this.files(written.metadataLocation)) {
      const path = await this.store.localPath(location);
      await (await this.open()).all(path, (event) => found.add(event));
    }
    if (found.text() !== expected.text())
      throw new Error(
        `The archive ${target.location} doesn't have the events that were written to it. Nothing was removed.`,
      );
    return written;
  }

  /** The first events of a page. Reads the files from the newest or oldest one until it has enough. */
  async page(metadataLocation: string, page: ArchivePage): Promise<ArchivedEvent[]> {
    const newestFirst = page.order === 'newest first';
    const files = (await this.files(metadataLocation)).filter(({ from, to }) => isIn(page, newestFirst, from, to));
    const events: ArchivedEvent[] = [];
    for (const { location } of newestFirst ? files.reverse() : files) {
      const path = await this.store.localPath(location);
      events.push(...(await (await this.open()).page(path, { ...page, limit: page.limit - events.length })));
      if (events.length >= page.limit) break;
    }
    return events;
  }

  /** The events with these numbers. */
  async numbered(metadataLocation: string, after: bigint, to: bigint): Promise<ArchivedEvent[]> {
    const files = await this.files(metadataLocation);
    const paths = await this.paths(files.filter(({ first, last }) => last > after && first <= to));
    return paths.length === 0 ? [] : (await this.open()).numbered(paths, after, to);
  }

  /** The number of all events. */
  async size(metadataLocation: string): Promise<number> {
    let rows = 0;
    for (const { location } of await this.files(metadataLocation))
      rows += await (await this.open()).size(await this.store.localPath(location));
    return rows;
  }

  async count(
    metadataLocation: string,
    filter: { readonly since: Date; readonly until: Date; readonly readerId: string },
  ): Promise<{ rows: number; others: number; people: string[] }> {
    const files = await this.files(metadataLocation);
    const paths = await this.paths(files.filter(({ from, to }) => to >= filter.since && from < filter.until));
    return paths.length === 0 ? { rows: 0, others: 0, people: [] } : (await this.open()).count(paths, filter);
  }

  /** Whether an error means that the storage doesn't respond, not that the archive is damaged. */
  isUnavailable(error: unknown): boolean {
    return this.store.isUnavailable(error);
  }

  async close(): Promise<void> {
    const { engine } = this;
    this.engine = undefined;
    (await engine)?.close();
  }

  /** The files with the bounds of their events, oldest first. */
  private async files(metadataLocation: string): Promise<BoundedFile[]> {
    const { files } = await readTableScan(this.store, metadataLocation);
    const bounded = files.map(({ location, statistics }) => {
      const of = (name: string) => boundsOf(statistics ?? Buffer.alloc(0), fieldOf(name));
      const [time, sequence] = [of('time'), of('sequence')];
      return {
        location,
        from: timeOf(time?.lower, -MAX_TIME),
        to: timeOf(time?.upper, MAX_TIME),
        first: sequence?.lower?.kind === 'number' ? sequence.lower.unscaled : 0n,
        last: sequence?.upper?.kind === 'number' ? sequence.upper.unscaled : BigInt(Number.MAX_SAFE_INTEGER),
      };
    });
    // Names are numbers: files of one time are in the order in which they were written.
    return bounded.sort((a, b) => (a.location < b.location ? -1 : 1));
  }

  private paths(files: readonly BoundedFile[]): Promise<string[]> {
    return Promise.all(files.map(({ location }) => this.store.localPath(location)));
  }

  private open(): Promise<ArchiveEngine> {
    this.engine ??= import('./archive-engine.ts')
      .then(({ ArchiveEngine }) => ArchiveEngine.open())
      .catch((error: unknown) => {
        // The next request tries again.
        this.engine = undefined;
        throw error;
      });
    return this.engine;
  }
}

const MAX_TIME = 8.64e15;
const fieldOf = (name: string) => EVENT_FIELDS.find((field) => field.name === name)!;

const timeOf = (bound: Comparable | null | undefined, or: number): Date =>
  new Date(bound?.kind === 'instant' ? Number(bound.at / 1000n) : or);

function isIn({ after, since, until }: ArchivePage, newestFirst: boolean, from: Date, to: Date): boolean {
  if (after !== null && (newestFirst ? from > after.at : to < after.at)) return false;
  return (since === undefined || to >= since) && (until === undefined || from < until);
}
