import { SingleFlight } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';
import type { Gap } from './collector-sink.ts';
import type { Passage } from './progress.ts';

/** What a {@link GapLedger} needs of its pipeline. */
export interface GapLedgerOptions {
  /** Writes the gaps to disk, replacing the previous ones. */
  readonly save: (gaps: readonly Gap[]) => Promise<void>;
  /** Writes a gap to the sink. */
  readonly record: (gap: Gap) => Promise<void>;
  /** Gaps that an earlier process left on disk. */
  readonly known: readonly Gap[];
}

interface Entry {
  readonly gap: Gap;
  /** Set if the position waits for this gap; otherwise the gap is on disk. */
  readonly passage: Passage | undefined;
}

/**
 * The gaps that are not in the sink yet. None is lost: either the position does not pass a gap
 * before the sink has it, or the gap is on disk first.
 */
export class GapLedger {
  readonly #options: GapLedgerOptions;
  readonly #flushing = new SingleFlight<void>();
  #waiting: Entry[];
  /** The gap that grows while the spool is full. */
  #open: Gap | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: GapLedgerOptions) {
    this.#options = options;
    this.#waiting = options.known.map((gap) => ({ gap, passage: undefined }));
  }

  /**
   * Adds a gap that would be detected again after a crash, because the position stays before it.
   */
  add(gap: Gap, passage: Passage): void {
    this.#waiting.push({ gap, passage });
  }

  /** Adds gaps that would not be detected again. Rejects, and adds nothing, if the disk fails. */
  addLasting(gaps: readonly Gap[]): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#waiting;
      const added: readonly Entry[] = gaps.map((gap) => ({ gap, passage: undefined }));
      this.#waiting = [...before, ...added];
      await this.#save().catch((error: unknown) => {
        this.#waiting = this.#waiting.filter((entry) => !added.includes(entry));
        throw error;
      });
    });
  }

  /**
   * Records dropped events. Events dropped until {@link GapLedger.close} form one gap, which begins
   * with the oldest of them. Rejects, and records nothing, if the disk fails.
   */
  drop(events: readonly CollectedEvent[], now: string): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#open;
      const from = events.reduce(
        (oldest, { lastSeen }) => (lastSeen < oldest ? lastSeen : oldest),
        before?.from ?? now,
      );
      const dropped = (before?.dropped ?? 0) + events.length;
      this.#open = { from, to: now, reason: 'the spool was full', dropped };
      await this.#save().catch((error: unknown) => {
        this.#open = before;
        throw error;
      });
    });
  }

  /** Ends the growing gap: there is room again. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#open === undefined) return;
      this.#waiting.push({ gap: this.#open, passage: undefined });
      this.#open = undefined;
    });
  }

  /** Writes all gaps but a growing one to the sink. Rejects if the sink or the disk fails. */
  flush(): Promise<void> {
    return this.#flushing.run(async () => {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        const told = next;
        await this.#options.record(told.gap);
        this.#waiting = this.#waiting.filter((entry) => entry !== told);
        if (told.passage === undefined) await this.#inTurn(() => this.#save());
        else told.passage.arrived();
      }
    });
  }

  /** Serialises writes: each writes the whole file. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #save(): Promise<void> {
    const lasting = this.#waiting.flatMap(({ gap, passage }) =>
      passage === undefined ? [gap] : [],
    );
    return this.#options.save(this.#open === undefined ? lasting : [...lasting, this.#open]);
  }
}
