import type { DiagnosedInformer, InformerChange } from '../cache/diagnostics.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, type ScheduledCall, systemClock } from '../lib/clock.ts';
import { trackCauses } from '../lib/diagnostic-channel.ts';
import { type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { electionSteps } from '../leaderelection/diagnostics.ts';
import { recordedEvents } from '../record/diagnostics.ts';
import type { DiagnosedQueue } from '../workqueue/diagnostics.ts';
import { Allowance, RecordRate } from './feed-allowance.ts';
import { FeedInformers } from './feed-informers.ts';
import { FeedOutlet } from './feed-outlet.ts';
import { FeedQueues } from './feed-queues.ts';
import { type FeedController, FeedReconciles } from './feed-reconciles.ts';
import { FeedRequests } from './feed-requests.ts';
import { guardWarnings } from './guard-warnings.ts';
import { KnownSecrets } from './known-secrets.ts';
import type {
  ElectionRecord,
  NoteRecord,
  ObservedRecord,
  WatchEventRecord,
} from './observed-record.ts';
import type { ObservedSnapshot } from './observed-snapshot.ts';

/** How often more records are granted. */
const REFILL_MS = 100;

/** Options of {@link Feed}. */
export interface FeedOptions extends LoggerOption {
  /** Called with each record, in order. Errors it throws are logged. */
  readonly onRecord: (record: ObservedRecord) => void;
  /** Called with the changes of objects that have a record, after it: the states before and after. */
  readonly onChange?: ((change: InformerChange, record: WatchEventRecord) => void) | undefined;
  /** How often informers and queues are summed up. Default 1000. */
  readonly intervalMs?: number | undefined;
  /**
   * How many records per second there may be of changes, of additions to queues, of reconciles and of
   * requests, each. More are counted, but not recorded. Default 1000.
   */
  readonly maxPerSecond?: number | undefined;
  /**
   * How many records of each kind there may be in a burst: what is not used is saved up to this. Default:
   * those of a second, after a beginning with those of a tenth of one.
   */
  readonly burst?: number | undefined;
  /**
   * Returns the processor time that the program has used, in milliseconds. With it `maxPerSecond` is per
   * second of processor time, and at least a fifth of it per second: what a feed takes stays the same
   * share of a program that gets little of a processor. Default: `maxPerSecond` is per second.
   */
  readonly processorTimeMs?: (() => number) | undefined;
  /** Informers that do not run yet. Those that run are known. */
  readonly informers?: (() => Iterable<DiagnosedInformer>) | undefined;
  /** Queues without workers. Those that `runWorkers` works on are known. */
  readonly queues?: (() => Iterable<DiagnosedQueue>) | undefined;
  /** Controllers and the informers that they watch. */
  readonly controllers?: (() => Iterable<FeedController>) | undefined;
  /** Only the requests of these clients are observed, by `RESTClient.id`. Default: those of all clients. */
  readonly clients?: readonly number[] | undefined;
  /** Returns the program that a record is about, if several share the process. */
  readonly program?: (() => string | undefined) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Observes everything in this process: informers, queues, reconciles, requests, elections, recorded
 * events and warnings become records. Without a feed nothing of this costs anything; with one, the cost
 * is bounded by `maxPerSecond`, however much happens. Dispose it to end.
 *
 * ```ts
 * using feed = new Feed({ onRecord: (record) => console.log(record) });
 * ```
 *
 * Records name objects and never contain them. In messages of errors and notes of events, credentials are
 * hidden by their form ({@link maskSecrets}), and wherever they occur the values of Secrets that an
 * informer holds and the credentials that clients have used; see {@link Feed.hideSecrets}.
 */
export class Feed implements Disposable {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #rate: RecordRate;
  readonly #outlet: FeedOutlet;
  readonly #informers: FeedInformers;
  readonly #queues: FeedQueues;
  readonly #reconciles: FeedReconciles;
  readonly #requests: FeedRequests;
  readonly #subscriptions: readonly Disposable[];
  readonly #elections = new Map<string, ElectionRecord>();
  readonly #totals = { recordedEvents: 0, guardWarnings: 0 };
  #timer: ScheduledCall | undefined;
  #refilledAt: number;
  #tickedAt: number;

  constructor(options: FeedOptions) {
    checkNumbers(options, { intervalMs: 'duration', maxPerSecond: 'count', burst: 'count' });
    const { clock = systemClock, intervalMs = 1000, maxPerSecond = 1000 } = options;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    const logger = loggerOf(options.logger);
    const onRecord = guardCallback('onRecord of a feed', options.onRecord, logger);
    const secrets = new KnownSecrets(() => this.#informers.all);
    const hide = (text: string): string => secrets.hide(text);
    const outlet = new FeedOutlet({ clock, onRecord, hide, program: options.program });
    this.#outlet = outlet;
    const none = (): Iterable<never> => [];
    this.#rate = new RecordRate(maxPerSecond, options.processorTimeMs);
    const { burst } = options;
    const allowance = (): Allowance =>
      new Allowance(burst ?? maxPerSecond, burst ?? (maxPerSecond * REFILL_MS) / 1000);
    const onChange = guardCallback('onChange of a feed', options.onChange, logger);
    this.#informers = new FeedInformers(outlet, {
      allowance: allowance(),
      extra: options.informers ?? none,
      onChange,
    });
    const extra = options.queues ?? none;
    this.#queues = new FeedQueues(outlet, { allowance: allowance(), extra });
    this.#reconciles = new FeedReconciles(outlet, this.#queues, {
      allowance: allowance(),
      controllers: options.controllers ?? none,
    });
    const reconcileOf = this.#reconciles.noteRequest;
    const clients = options.clients && new Set(options.clients);
    this.#requests = new FeedRequests(outlet, { allowance: allowance(), reconcileOf, clients });
    const parts = [this.#informers, this.#queues, this.#reconciles, this.#requests];
    this.#subscriptions = [...parts, trackCauses(), ...this.#others()];
    this.#tickedAt = clock.monotonic();
    this.#refilledAt = this.#tickedAt;
    this.#schedule();
  }

  /** Returns the informer with a name in records; undefined if there is none. */
  informer(name: string): DiagnosedInformer | undefined {
    return this.#informers.find(name);
  }

  /** Returns the name of an informer in records. */
  informerName(informer: DiagnosedInformer): string {
    return this.#informers.nameOf(informer);
  }

  /** Returns the queue with a name in records; undefined if there is none. */
  queue(name: string): DiagnosedQueue | undefined {
    return this.#queues.find(name);
  }

  /**
   * Returns a text as records show it: without what has the form of a credential, without the values of
   * Secrets that are or were in the cache of an informer, and without the credentials that clients have
   * used. Values of fewer than 8 characters are not looked for.
   */
  hideSecrets(text: string): string {
    return this.#outlet.hide(text);
  }

  /** Adds a remark to the records. It is shown as it is. */
  note(subject: string, text: string, severity: NoteRecord['severity'] = 'info'): void {
    this.#outlet.emit({ type: 'note', severity, subject, text });
  }

  /** Returns the state now. */
  snapshot(): ObservedSnapshot {
    return {
      at: this.#clock.now(),
      seq: this.#outlet.seq,
      informers: this.#informers.snapshot(),
      queues: this.#queues.snapshot(),
      controllers: this.#reconciles.snapshot(),
      connections: this.#requests.connections,
      elections: [...this.#elections.values()],
      totals: {
        ...this.#requests.totals,
        ...this.#totals,
        unrecorded: this.#outlet.unrecorded,
      },
    };
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  #others(): Disposable[] {
    return [
      electionSteps.subscribe(({ error, ...step }) => {
        const draft = { type: 'election', ...step } as const;
        const whole =
          error === undefined ? draft : { ...draft, error: this.#outlet.errorText(error) };
        const record = this.#outlet.emit(whole);
        if (record.type === 'election') this.#elections.set(record.lease, record);
      }),
      recordedEvents.subscribe(({ type, reason, note, kind, namespace, name, component }) => {
        this.#totals.recordedEvents += 1;
        const reconcile = this.#reconciles.current;
        this.#outlet.emit({
          type: 'event.recorded',
          severity: type === 'Warning' ? 'Warning' : 'Normal',
          reason,
          note: this.#outlet.text(note),
          regarding: `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`,
          component,
          ...(reconcile !== undefined && { reconcile }),
        });
      }),
      guardWarnings.subscribe((warning) => {
        this.#totals.guardWarnings += 1;
        const message = this.#outlet.text(warning.message);
        this.#outlet.emit({ type: 'guard.warning', ...warning, message });
      }),
    ];
  }

  #schedule(): void {
    this.#timer = this.#clock.schedule(REFILL_MS, () => this.#refill(), { background: true });
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const granted = this.#rate.grant(now - this.#refilledAt);
    this.#refilledAt = now;
    for (const part of [this.#informers, this.#queues, this.#reconciles, this.#requests]) {
      part.refill(granted);
    }
    if (now - this.#tickedAt >= this.#intervalMs) {
      this.#informers.tick(now - this.#tickedAt);
      this.#queues.tick();
      this.#tickedAt = now;
    }
    this.#schedule();
  }
}
