import { type FileHandle, open } from 'node:fs/promises';
import type { CollectedEvent } from './collected-event.ts';
import type { EventSink, Gap, Position, Rejection } from './event-sink.ts';

/** Where lines go: a file, or a stream such as standard output. */
export interface LineTarget {
  /** Resolves when the text is taken. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes every state of every event as a line of JSON, and every gap as `{"gap":{…}}`. Lines cannot be
 * taken back: after a crash the last ones may come twice, and readers tell them by uid and
 * resourceVersion.
 */
export class NdjsonSink implements EventSink {
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target.close();
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Appends to a file. Each batch is on disk before it counts as written; if the file ends in the middle
 * of a line, because a process was killed there, a new line is begun.
 */
export async function fileTarget(path: string): Promise<LineTarget> {
  const file: FileHandle = await open(path, 'a+');
  const { size } = await file.stat();
  if (size > 0) {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 0x0a) await file.appendFile('\n');
  }
  return {
    write: async (text) => {
      await file.appendFile(text);
      await file.datasync();
    },
    close: () => file.close(),
  };
}
