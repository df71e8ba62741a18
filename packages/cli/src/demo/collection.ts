import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { type Clock, ClientError } from 'client-ts/internal';

import {
  EventCollector,
  type CollectorSink,
  type EventSource,
  fileTarget,
  NdjsonSink,
  SqliteSink,
} from '@client-ts/collector';
import type { CollectionLine, QueueLine } from './state.ts';

/** Options of a {@link Collection}. */
export interface CollectionOptions {
  readonly clock: Clock;
  readonly source: EventSource;
  /** The database. Without SQLite in Node, a file of JSON lines beside it is used. */
  readonly path: string;
  readonly onError: (error: unknown) => void;
}

/** The event collector of the demo. */
export class Collection implements AsyncDisposable {
  readonly #collector: EventCollector;
  readonly #place: string;
  /** True if `client-ts events` can query the events. */
  readonly isDatabase: boolean;

  private constructor(collector: EventCollector, place: string, isDatabase: boolean) {
    this.#collector = collector;
    this.#place = place;
    this.isDatabase = isDatabase;
  }

  /** Rejects if events cannot be read or the file cannot be written. */
  static async open(
    options: CollectionOptions,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Collection> {
    const { clock, onError, path, source } = options;
    await mkdir(dirname(path), { recursive: true });
    let place = path;
    const open = async (): Promise<CollectorSink> => {
      const opened = await openSink(path);
      place = opened.place;
      return opened.sink;
    };
    const collector = await EventCollector.open({
      source,
      sinks: [open],
      directory: spoolOf(path),
      clock,
      signal,
      onError,
    });
    return new Collection(collector, place, place === path);
  }

  get line(): CollectionLine {
    const [sink] = this.#collector.stats.sinks;
    return { place: this.#place, written: sink?.written ?? 0, dropped: sink?.dropped ?? 0 };
  }

  get queue(): QueueLine {
    return { name: 'collector', depth: this.#collector.stats.sinks[0]?.queued ?? 0 };
  }

  /** Collects until the signal aborts; then everything received is written. */
  run(signal: AbortSignal): Promise<void> {
    return this.#collector.run({ signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#collector[Symbol.asyncDispose]();
  }
}

/** Keeps the files of a demo small. */
const lineFiles = { maxBytes: 100e6, keep: 1 };

/** Removes the files of an earlier collection, of a server that no longer exists. */
export async function removeCollection(path: string): Promise<void> {
  const files = [path, `${path}-wal`, `${path}-shm`, spoolOf(path), linesOf(path)];
  await Promise.all(files.map((file) => rm(file, { recursive: true, force: true })));
}

function spoolOf(path: string): string {
  return `${path}.spool`;
}

function linesOf(path: string): string {
  return path.replace(/(?:\.db)?$/, '.ndjson');
}

async function openSink(
  path: string,
): Promise<{ readonly sink: CollectorSink; readonly place: string }> {
  try {
    return { sink: new SqliteSink({ path }), place: path };
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'COLLECTOR_SQLITE_MISSING') throw error;
    const place = linesOf(path);
    return { sink: new NdjsonSink(await fileTarget({ path: place, ...lineFiles })), place };
  }
}
