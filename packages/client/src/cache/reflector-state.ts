import type { FailureKind } from './reflector-failure.ts';

/** What the machine is told at its start. */
export interface MachineSettings {
  /** How far the store has come already; empty for one that begins. */
  readonly resourceVersion: string;
  /** Whether to ask for the first state as a stream. */
  readonly useWatchList: boolean;
  /** Objects per page of every list; undefined leaves it to the machine. */
  readonly pageSize: number | undefined;
  /** How long failures of the server are answered by watching again at once; 0 for not at all. */
  readonly maxInternalErrorRetryMs: number;
}

/** What the machine knows. It is a plain value: every transition makes a new one. */
export interface MachineState {
  readonly settings: MachineSettings;
  /** What is under way. */
  readonly phase: 'idle' | 'listing' | 'stopped' | 'streaming' | 'waiting' | 'watching';
  /** What comes after waiting. */
  readonly afterWaiting: 'cycle' | 'stream' | 'watch';
  /** How far the store has come; empty before the first list. */
  readonly resourceVersion: string;
  /** The server does not have that version: the next list must ask for the newest. */
  readonly isVersionUnavailable: boolean;
  /** The watch under way was resumed from a version, and did not begin where a list ended. */
  readonly isResumed: boolean;
  /** The list under way asked for this version. */
  readonly listedVersion: string;
  /**
   * A list "at any version" came in pages, which it does only without a watch cache: every list
   * must then be paged.
   */
  readonly hasNoWatchCache: boolean;
  /** False once the server has been silent where the end of the first state was due. */
  readonly canStream: boolean;
  /** Streams in a row that ended before the first state was complete. */
  readonly brokenStreams: number;
  /** Watches in a row that ended at once without an event. */
  readonly shortWatches: number;
  /** Watches in a row that ended within a second, with events or without. */
  readonly hastyWatches: number;
  /** When the server began to fail, and when it last did. */
  readonly internalErrors: { readonly firstAt: number; readonly lastAt: number } | undefined;
}

/** How a watch went, from the request to its end. */
export interface WatchSummary {
  /** Events that were of use. */
  readonly events: number;
  readonly durationMs: number;
  /** How far the store has come. */
  readonly resourceVersion: string;
  /** What the server said, or what broke; undefined if the watch just ended. */
  readonly error?: unknown;
}

/** What happens to the machine. */
export type MachineEvent =
  | { readonly type: 'list-failed'; readonly error: unknown }
  | { readonly type: 'listed'; readonly resourceVersion: string; readonly isPaginated: boolean }
  | { readonly type: 'open-failed'; readonly error: unknown }
  | { readonly type: 'opened' }
  | { readonly type: 'resync-failed'; readonly error: unknown; readonly resourceVersion: string }
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'stream-silent' }
  | { readonly type: 'streamed'; readonly resourceVersion: string }
  | { readonly type: 'waited' }
  | { readonly type: 'watch-ended'; readonly at: number; readonly watch: WatchSummary };

/** What is to be done next. Each ends with one of the events in its comment. */
export type MachineOperation =
  /** `listed` once the store has accepted the list, or `list-failed`. */
  | { readonly type: 'list'; readonly resourceVersion: string; readonly pageSize: number }
  /** `opened` or `open-failed`. */
  | { readonly type: 'open'; readonly isInitial: boolean; readonly resourceVersion: string }
  /** Reads the first state: `streamed` once the store has accepted it, or as with `read`. */
  | { readonly type: 'read-initial' }
  /** `watch-ended` or `resync-failed`. */
  | { readonly type: 'read'; readonly isResumed: boolean }
  /** `waited`, after the back-off or as long as the server asks for. */
  | { readonly type: 'wait'; readonly atLeastMs: number }
  /** `waited`, after exactly so long. */
  | { readonly type: 'pause'; readonly milliseconds: number }
  /** Nothing: this is the end. */
  | { readonly type: 'stop' };

/** What is to be done on the way, at once. */
export type MachineEffect =
  /** The server is in health: the next wait is short again. */
  | { readonly type: 'reset-backoff' }
  /** A list or the opening of a watch failed: the user wants to know. */
  | { readonly type: 'report'; readonly error: unknown; readonly verb: 'list' | 'watch' }
  /** The store is what the server has, and follows it. */
  | { readonly type: 'live' }
  /** The store no longer follows the server. */
  | {
      readonly type: 'stale';
      readonly error: unknown;
      readonly kind: FailureKind;
      /** It fails again until a person changes something. */
      readonly isBlocked: boolean;
      readonly verb: 'list' | 'watch';
    };

/** The result of a transition. */
export interface MachineStep {
  readonly state: MachineState;
  readonly effects: readonly MachineEffect[];
  readonly next: MachineOperation;
}
