import { guardCallback } from '../lib/callback.ts';
import type { Logger } from '../lib/logger.ts';

/** How far a copy has come. */
export interface CopyProgress {
  /** The file that is being copied, relative to what is copied; `.` for that itself. */
  readonly path: string;
  /** Files, folders and links so far. */
  readonly entries: number;
  /** Contents so far. */
  readonly bytes: number;
}

/** An entry of an archive, with the part of the header that is used. */
export interface TarEntry {
  readonly header: {
    readonly name: string;
    readonly type?: string;
    readonly mode?: number;
    readonly mtime?: Date;
    readonly linkname?: string;
  };
  readonly body: ReadableStream<Uint8Array>;
}

/** Counts, and reports each step. */
export class Progress {
  readonly #report: (progress: CopyProgress) => void;
  #entries = 0;
  #bytes = 0;

  constructor(onProgress: ((progress: CopyProgress) => void) | undefined, logger: Logger) {
    this.#report = guardCallback('onProgress', onProgress, logger);
  }

  get total(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries, bytes: this.#bytes };
  }

  entry(path: string): void {
    this.#entries += 1;
    this.#report({ path: path === '' ? '.' : path, ...this.total });
  }

  bytes(path: string, count: number): void {
    this.#bytes += count;
    this.#report({ path: path === '' ? '.' : path, ...this.total });
  }
}
