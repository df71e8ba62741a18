import { nextTurn } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

import type { TestObject } from './test-object.ts';

export interface TestEvent {
  readonly type: string;
  readonly object: TestObject;
}

/** A watch whose events are collected as they arrive. */
export class TestWatch {
  readonly status: number;
  readonly headers: TransportHeaders;
  /** Set when the stream has ended: `end`, or its error. */
  outcome: unknown;
  readonly #abort: AbortController;
  #text = '';
  #events: TestEvent[] = [];
  #wake = (): void => {};

  constructor(
    status: number,
    headers: TransportHeaders,
    body: AsyncIterable<Uint8Array>,
    abort: AbortController,
  ) {
    this.status = status;
    this.headers = headers;
    this.#abort = abort;
    void this.#read(body);
  }

  /** Returns the events since the last call, after everything in flight has arrived. */
  async take(): Promise<TestEvent[]> {
    await nextTurn();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Returns the next event, once it has arrived. */
  async next(): Promise<TestEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.outcome !== undefined) throw new Error('ended', { cause: this.outcome });
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Returns type and name of the events since the last call. */
  async takeBriefly(): Promise<string[]> {
    return (await this.take()).map(({ type, object }) =>
      `${type} ${object.metadata.name ?? ''}`.trimEnd(),
    );
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) this.#add(Buffer.from(chunk).toString());
      this.outcome = 'end';
    } catch (error) {
      this.outcome = error;
    }
    this.#wake();
  }

  #add(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#events.push(JSON.parse(line) as TestEvent);
    this.#wake();
  }
}
