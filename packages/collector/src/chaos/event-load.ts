import type { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn, type Random } from 'client-ts/internal';

/** The last state of an event on the server. */
export interface LoggedEvent {
  readonly count: number;
  /** When the server stored it, in milliseconds since the epoch. */
  readonly atMs: number;
}

const MAX_ALIVE = 30;

/** Writes events to a server, and logs what the server has stored. */
export class EventLoad implements AsyncDisposable {
  /** By uid, including deleted events: those are what a collector is for. */
  readonly log: Map<string, LoggedEvent> = new Map();
  readonly #client: Clientset;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #alive: { readonly name: string; readonly uid: string; count: number }[] = [];
  #number = 0;

  constructor(server: ApiServer, { random, now }: { random: Random; now: () => number }) {
    this.#client = new Clientset({ server: server.url, transport: server.transport() });
    this.#random = random;
    this.#now = now;
  }

  /** Creates, updates and deletes events: `changes` operations in all. */
  async write(changes: number): Promise<void> {
    for (let change = 0; change < changes; change += 1) {
      // The in-memory transport never waits, which would starve the collectors.
      await nextTurn();
      // A list would return events that still exist: most are deleted soon.
      if (this.#alive.length > MAX_ALIVE) await this.#delete();
      else if (this.#alive.length === 0 || this.#random.next() < 0.7) await this.create();
      else await this.#countOn();
    }
  }

  /** Creates one event; returns its uid. */
  async create(): Promise<string> {
    this.#number += 1;
    const name = `event-${this.#number}`;
    const time = `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
    const { metadata } = await this.#client.coreV1.events('default').create({
      metadata: { name },
      involvedObject: { kind: 'Pod', namespace: 'default', name: `pod-${this.#number % 100}` },
      reason: 'Pulled',
      type: 'Normal',
      message: `Pulled image number ${this.#number}: ${'x'.repeat(200)}`,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
    });
    this.log.set(metadata.uid, { count: 1, atMs: this.#now() });
    this.#alive.push({ name, uid: metadata.uid, count: 1 });
    return metadata.uid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  async #countOn(): Promise<void> {
    const event = this.#alive[Math.floor(this.#random.next() * this.#alive.length)];
    if (event === undefined) return;
    event.count += 1;
    const lastTimestamp = `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
    await this.#client.coreV1
      .events('default')
      .patch(event.name, { count: event.count, lastTimestamp }, { type: 'merge' });
    this.log.set(event.uid, { count: event.count, atMs: this.#now() });
  }

  async #delete(): Promise<void> {
    const index = Math.floor(this.#random.next() * this.#alive.length);
    const [event] = this.#alive.splice(index, 1);
    if (event !== undefined) await this.#client.coreV1.events('default').delete(event.name);
  }
}
