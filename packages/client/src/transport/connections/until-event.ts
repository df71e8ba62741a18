import type { Socket } from 'node:net';

import type { Clock } from '../../lib/clock.ts';
import { onAbort } from '../../lib/signal.ts';
import type { TransportError } from '../transport-error.ts';

export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** What to say when the time is over. */
  readonly timeoutError: () => TransportError;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the socket emits `event`. An error, a close, an abort or the end of patience
 * reject, and the socket is then destroyed.
 */
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { clock, timeoutMs, timeoutError, signal }: Patience,
): Promise<void> {
  // From here on, errors show in whoever waits for the socket; on their own they are no news.
  socket.on('error', () => undefined);
  using cleanUp = new Listeners(socket);
  try {
    await new Promise<void>((resolve, reject) => {
      cleanUp.on(event, () => resolve());
      cleanUp.on('error', reject);
      cleanUp.on('close', () => {
        reject(Object.assign(new Error('closed by the other side'), { code: 'ECONNRESET' }));
      });
      cleanUp.add(clock.schedule(timeoutMs, () => reject(timeoutError())));
      cleanUp.add(onAbort(signal, () => reject(signal.reason as Error)));
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Listeners and ties that go together. */
class Listeners implements Disposable {
  readonly #socket: Socket;
  readonly #disposables: Disposable[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  on(event: string, listener: (error: Error) => void): void {
    this.#socket.on(event, listener);
    this.add({ [Symbol.dispose]: () => this.#socket.off(event, listener) });
  }

  add(disposable: Disposable): void {
    this.#disposables.push(disposable);
  }

  [Symbol.dispose](): void {
    for (const disposable of this.#disposables) disposable[Symbol.dispose]();
  }
}
