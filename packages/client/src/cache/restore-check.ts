import type { Clock } from '../lib/clock.ts';
import { isTooLargeVersion } from './reflector-failure.ts';
import type { ListerWatcher } from './list-watch.ts';

/** Servers send a bookmark about once a minute: a watch without any for this long is suspicious. */
const silenceMs = 2 * 60_000;

/** What a {@link RestoreCheck} needs. */
export interface RestoreCheckOptions {
  readonly clock: Pick<Clock, 'schedule'>;
  readonly list: ListerWatcher<unknown>['list'];
  /** How far the watch has come. */
  readonly version: () => string;
  /** The server does not have that version. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Finds out that a server was restored from a backup. A watch resumed from a version that the server
 * has not reached yet is accepted, and silent until the server gets there; what happens up to then
 * is never sent. So a watch that has not moved two minutes after it was resumed makes this ask, once
 * and for one object, for a state that is not older. Disposing ends it.
 */
export class RestoreCheck implements Disposable {
  readonly #stop = new AbortController();

  constructor({ clock, list, version, onLost }: RestoreCheckOptions) {
    const { signal } = this.#stop;
    const resourceVersion = version();
    const ask = async (): Promise<void> => {
      try {
        await list({ resourceVersion, resourceVersionMatch: 'NotOlderThan', limit: 1, signal });
      } catch (error) {
        // Any other failure says nothing about the watch, which goes on.
        if (!signal.aborted && isTooLargeVersion(error)) onLost(error);
      }
    };
    const timer = clock.schedule(
      silenceMs,
      () => {
        if (version() === resourceVersion) void ask();
      },
      { background: true },
    );
    signal.addEventListener('abort', () => timer.cancel(), { once: true });
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
