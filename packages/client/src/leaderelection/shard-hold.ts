import type { Lease } from '../api/coordination/v1.ts';
import { Deferred } from '../lib/deferred.ts';
import { retryOnConflict, type RetryOptions } from '../wait/retry.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { holderOf, MEMO_ANNOTATION } from './shard-leases.ts';

/** A shard that this replica holds. */
export interface ShardHold {
  /** From 0 to the number of shards - 1. */
  readonly shard: number;
  /**
   * The number of times the shard has been acquired. It grows as long as its Lease is not deleted, so
   * that it can serve as a fencing token.
   */
  readonly term: number;
  /** Aborts when the work has to end: the shard moves to another replica, or `lost` has aborted. */
  readonly signal: AbortSignal;
  /** Aborts if the Lease of this replica could not be renewed: another one may hold the shard. */
  readonly lost: AbortSignal;
  /** True while no other replica can hold the shard. Compares the clock with the lease when it is read. */
  readonly isHeld: boolean;
  /** What the last holder has saved; undefined if nothing was. */
  readonly memo: string | undefined;
  /**
   * Saves a text of up to a few kilobytes in the Lease, for the next holder. Rejects with
   * `LEADERELECTION_LOST` if the shard is no longer held.
   */
  save(memo: string): Promise<void>;
}

/** What a {@link ShardHolding} needs of its group. */
export interface ShardHoldingOptions {
  readonly shard: number;
  readonly name: string;
  /** As it was stored when the shard was acquired. */
  readonly lease: Lease;
  readonly identity: string;
  /** True while the Lease of the replica is valid, in the term in which the shard was acquired. */
  readonly isMember: () => boolean;
  readonly get: () => Promise<Lease>;
  readonly update: (lease: Lease) => Promise<Lease>;
  readonly retry: RetryOptions;
}

/** The life of one hold: work, then release. */
export class ShardHolding implements ShardHold {
  readonly shard: number;
  readonly term: number;
  readonly #options: ShardHoldingOptions;
  readonly #end = new AbortController();
  readonly #lost = new AbortController();
  readonly #ended = new Deferred();
  #lease: Lease;
  #isOver = false;
  /** Serialises writes: each is conditional on the one before. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: ShardHoldingOptions) {
    this.shard = options.shard;
    this.term = options.lease.spec?.leaseTransitions ?? 0;
    this.#options = options;
    this.#lease = options.lease;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get isHeld(): boolean {
    return !this.#isOver && this.#options.isMember();
  }

  get memo(): string | undefined {
    return this.#lease.metadata?.annotations?.[MEMO_ANNOTATION];
  }

  /** Resolves when the work has ended and the shard is released, or cannot be. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** True if the work was asked to end. */
  get isEnding(): boolean {
    return this.#end.signal.aborted;
  }

  async save(memo: string): Promise<void> {
    await this.#write((lease) => {
      const { metadata } = lease;
      const annotations = { ...metadata?.annotations, [MEMO_ANNOTATION]: memo };
      return { ...lease, metadata: { ...metadata, annotations } };
    });
  }

  /** Asks the work to end. */
  end(reason: unknown): void {
    this.#end.abort(reason);
  }

  /** Ends the work because the replica has lost its Lease. */
  lose(reason: unknown): void {
    this.#lost.abort(reason);
    this.#end.abort(reason);
  }

  /**
   * Runs the work, then writes what `release` returns for the Lease. Resolves with how the hold has
   * ended, and never rejects.
   */
  async run(
    work: (hold: ShardHold) => Promise<void>,
    { release, onWorkError, onReleaseError }: ShardEnding,
  ): Promise<'lost' | 'released'> {
    try {
      await work(this);
    } catch (error) {
      if (error !== this.#end.signal.reason) onWorkError(error);
    }
    try {
      if (!this.isHeld) return 'lost';
      await this.#write((lease) => {
        // From here on no request of the work may pass.
        this.#isOver = true;
        return release(lease);
      });
    } catch (error) {
      onReleaseError(error);
    } finally {
      this.#isOver = true;
      this.#ended.resolve();
    }
    return 'released';
  }

  async #write(change: (lease: Lease) => Lease): Promise<void> {
    const { get, update, identity, isMember, retry } = this.#options;
    let isFirst = true;
    const write = async (): Promise<void> => {
      if (!isFirst) this.#lease = await get();
      isFirst = false;
      if (!isMember() || holderOf(this.#lease) !== identity) throw this.#notHeld();
      this.#lease = await update(change(this.#lease));
    };
    const written = this.#writing.then(() => retryOnConflict(write, retry));
    this.#writing = written.catch(() => undefined);
    await written;
  }

  #notHeld(): LeaderElectionError {
    const { name, identity } = this.#options;
    const message = `shard ${name} is not held by ${identity}`;
    return new LeaderElectionError('LEADERELECTION_LOST', message);
  }
}

/** How a {@link ShardHolding} ends. */
export interface ShardEnding {
  /** Returns the Lease without its holder. */
  readonly release: (lease: Lease) => Lease;
  /** Called if the work fails for another reason than its signal. */
  readonly onWorkError: (error: unknown) => void;
  /** Called if the Lease may still name this replica. */
  readonly onReleaseError: (error: unknown) => void;
}
