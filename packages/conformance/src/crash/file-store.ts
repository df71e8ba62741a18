import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { DurableStore, StoreBatch, StoredState } from '@client-ts/apiserver';
import { systemClock } from 'client-ts/internal';

/** How long a store that acknowledges too early leaves its batches in memory. */
const EARLY_MS = 200;

/**
 * A store that is injected into the server: a file with a batch per line. It survives the end of the
 * process, not of the power, and keeps what is compacted.
 */
export class FileStore implements DurableStore {
  readonly #path: string;
  readonly #isEarly: boolean;

  constructor(path: string, isEarly = false) {
    this.#path = path;
    this.#isEarly = isEarly;
  }

  async open(): Promise<StoredState> {
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    const batches = text
      .split('\n')
      // A line without an end is a batch that was not acknowledged.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as StoreBatch);
    const revisions = batches.flatMap((batch) => batch.revisions);
    const settings: Record<string, string> = {};
    for (const batch of batches) Object.assign(settings, batch.settings);
    return { revision: revisions.at(-1)?.revision, compactions: [], settings, revisions };
  }

  async commit(batch: StoreBatch): Promise<void> {
    const line = `${JSON.stringify(batch)}\n`;
    const write = (): void => appendFileSync(this.#path, line);
    if (this.#isEarly && batch.revisions.length > 0) systemClock.schedule(EARLY_MS, write);
    else write();
  }

  async close(): Promise<void> {}
}
