import type { Clock } from 'client-ts/internal';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { EventSink, Gap, Position } from './event-sink.ts';
import { SinkFiles } from './sink-files.ts';
import { Spool } from './spool.ts';

/** What an earlier process has left for a sink. */
export interface SinkState {
  readonly files: SinkFiles;
  readonly spool: Spool;
  /** From where the source continues; undefined for the beginning. */
  readonly start: Position | undefined;
  /** Gaps that the sink does not know of. They are on disk. */
  readonly losses: readonly Gap[];
}

/** What {@link openSinkState} reads. */
export interface SinkStateOptions {
  readonly sink: EventSink;
  readonly directory: string;
  readonly maxSpoolBytes: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Opens the folder of a sink. A file in it that does not hold what was written is reported, and becomes a
 * gap: it said from where to continue, or what is missing.
 */
export async function openSinkState(options: SinkStateOptions): Promise<SinkState> {
  const { sink, directory, maxSpoolBytes: maxBytes, clock, onError } = options;
  const files = new SinkFiles(directory);
  await files.create();
  const spool = await Spool.open({ directory: files.spool, maxBytes });
  const found: Gap[] = [];
  const readable = async <T>(reading: Promise<T>, reason: string): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      onError(error);
      found.push({ from: undefined, to: new Date(clock.now()).toISOString(), reason });
      return undefined;
    }
  };
  const inFile = await readable(files.readPosition(), 'the position could not be read');
  const known = await readable(files.readLosses(), 'the record of gaps could not be read');
  const losses = [...(known ?? []), ...found];
  if (found.length > 0) await files.writeLosses(losses);
  // The position in the data counts, unless there is more on disk that the data does not know of.
  const start =
    sink.position === undefined
      ? inFile
      : newer(await sink.position(), spool.isEmpty ? undefined : inFile);
  return { files, spool, start, losses };
}

/** Of two positions that are both safe, the one that is further. */
function newer(left: Position | undefined, right: Position | undefined): Position | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const [one, other] = [left.resourceVersion, right.resourceVersion];
  if (left.source !== right.source || !isResourceVersion(one) || !isResourceVersion(other)) {
    return left;
  }
  return compareResourceVersions(one, other) < 0 ? right : left;
}
