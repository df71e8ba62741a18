import type { DynamicResourceClient } from 'client-ts/dynamic';
import { type Random, sleep, systemClock } from 'client-ts/internal';
import { isNotFound } from 'client-ts/meta';

import type { SoakKind } from './kinds.ts';

const colors = ['red', 'green', 'blue'];
/** The number of objects; small, so that they are often created and deleted. */
const objectCount = 25;
/** The maximum pause between two writes. */
const longestPauseMs = 12;

/** Writes to one kind at random until stopped. Failed writes are ignored. */
export class Writer {
  readonly #kind: SoakKind;
  readonly #client: DynamicResourceClient;
  readonly #random: Pick<Random, 'next'>;
  #pause = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  writes = 0;
  failures = 0;

  constructor(kind: SoakKind, client: DynamicResourceClient, random: Pick<Random, 'next'>) {
    this.#kind = kind;
    this.#client = client;
    this.#random = random;
  }

  start(): void {
    this.#pause = new AbortController();
    this.#writing = this.#run(this.#pause.signal);
  }

  /** Resolves when the write in flight has completed or failed. */
  async stop(): Promise<void> {
    this.#pause.abort();
    await this.#writing;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#write();
        this.writes += 1;
      } catch {
        this.failures += 1;
      }
      const pauseMs = this.#random.next() * longestPauseMs;
      await sleep(systemClock, pauseMs, { signal }).catch(() => undefined);
    }
  }

  async #write(): Promise<void> {
    const name = `object-${this.#below(objectCount)}`;
    if (this.#random.next() < 0.25) {
      await this.#client.delete(name).catch(unlessMissing);
      return;
    }
    const color = colors[this.#below(colors.length)] ?? '';
    const labels = { color, write: String(this.writes) };
    try {
      await this.#client.patch(name, { metadata: { labels } }, { type: 'merge' });
    } catch (error) {
      unlessMissing(error);
      await this.#client.create({ ...this.#kind.content, metadata: { name, labels } });
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}

function unlessMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
