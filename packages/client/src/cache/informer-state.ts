import { messageOf } from '../lib/errors.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { PromptIterator } from '../lib/prompt-iterator.ts';
import { onAbort } from '../lib/signal.ts';
import type { ReflectorStatus } from './reflector-status.ts';

/**
 * How an informer stands: as its reflector does, except that it is live only when the first list is
 * in its store, and tells how many deltas are on their way there.
 */
export type InformerState =
  | Exclude<ReflectorStatus, { readonly state: 'live' }>
  | { readonly state: 'live'; readonly resourceVersion: string; readonly lag: number };

/** A few words on what an informer waits for. */
export function describeState(state: InformerState): string {
  switch (state.state) {
    case 'starting':
      return 'was not started';
    case 'syncing':
      return `is syncing, ${state.received} objects so far`;
    case 'live':
      return 'is live';
    case 'stale':
      return `fails: ${messageOf(state.error)}`;
    case 'denied':
      return `may not ${state.verb}: ${messageOf(state.error)}`;
    case 'blocked':
      return `cannot ${state.verb}: ${messageOf(state.error)}`;
    case 'absent':
      return `has nothing to list: ${messageOf(state.error)}`;
    case 'stopped':
      return 'was stopped';
  }
}

/** Tells states to those who follow them. */
export class StateFeed {
  readonly #followers = new Set<Mailbox<InformerState>>();

  publish(state: InformerState): void {
    for (const follower of this.#followers) follower.offer(state);
  }

  /** The current state, then every other, until the signal aborts or the loop is left. */
  follow(current: InformerState, signal: AbortSignal | undefined): PromptIterator<InformerState> {
    const states = new Mailbox<InformerState>();
    const reader = states[Symbol.asyncIterator]();
    states.offer(current);
    let tie: Disposable | undefined;
    return new PromptIterator<InformerState>({
      pull: () => {
        // Not before: one that is never read must leave nothing behind.
        this.#followers.add(states);
        tie ??= onAbort(signal, () => states[Symbol.dispose]());
        return reader.next();
      },
      end: () => {
        this.#followers.delete(states);
        tie?.[Symbol.dispose]();
        void reader.return();
      },
    });
  }
}
