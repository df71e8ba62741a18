import type { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn } from 'client-ts/internal';

/** For tests: writes events to a server, and records them. */
export class EventWriter implements AsyncDisposable {
  /** The last count of each event, by uid: the expected result. */
  readonly written: Map<string, number> = new Map();
  readonly #client: Clientset;
  #number = 0;

  constructor(server: ApiServer) {
    this.#client = new Clientset({ server: server.url, transport: server.transport() });
  }

  /** Creates an event; every third call updates or deletes an earlier one instead. */
  async write(fields: { reason?: string; type?: string; message?: string } = {}): Promise<void> {
    const events = this.#client.coreV1.events('default');
    // The in-memory transport never waits, which would starve others.
    await nextTurn();
    this.#number += 1;
    const number = this.#number;
    if (number % 3 === 0 && number > 6) {
      const name = `event-${number - 5}`;
      const count = number;
      const { metadata } = await events.patch(name, { count }, { type: 'merge' });
      this.written.set(metadata.uid, count);
      if (number % 2 === 0) await events.delete(name);
      return;
    }
    const { metadata } = await events.create({
      metadata: { name: `event-${number}` },
      involvedObject: { kind: 'Pod', namespace: 'default', name: `web-${number}` },
      reason: 'Pulled',
      type: 'Normal',
      message: `Pulled image number ${number}`,
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      ...fields,
    });
    this.written.set(metadata.uid, 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}
