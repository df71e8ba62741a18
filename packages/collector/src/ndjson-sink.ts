import type { CollectedEvent } from './collected-event.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts';

/** A destination of lines: a file, or a stream such as standard output. */
export interface LineTarget {
  /** Resolves when the text is accepted. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes every state of an event as a line of JSON, and every gap as `{"gap":{…}}`. After a crash
 * the last lines may be repeated; readers can deduplicate by uid and resourceVersion.
 */
export class NdjsonSink implements CollectorSink {
  readonly name: string;
  readonly #target: LineTarget;

  constructor(target: LineTarget, name = 'ndjson') {
    this.#target = target;
    this.name = name;
  }

  async write(
    batch: readonly CollectedEvent[],
    _position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    if (batch.length > 0) await this.#target.write(batch.map(line).join(''));
    return [];
  }

  async recordGap(gap: Gap): Promise<void> {
    await this.#target.write(line({ gap }));
  }

  /** Closes the target. */
  async close(): Promise<void> {
    await this.#target.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A file of lines. */
export interface FileTarget extends LineTarget {
  /** Reopens the path, after another program has moved the file. */
  reopen(): Promise<void>;
}

/** Appends to a file of bounded size. Each batch is synced to disk before it counts as written. */
export async function fileTarget(options: RotatingFileOptions): Promise<FileTarget> {
  const file = new RotatingFile(options);
  await file.open();
  return {
    write: (text) => file.append(text),
    reopen: () => file.reopen(),
    close: () => file[Symbol.asyncDispose](),
  };
}
