/** The number of pods by condition. */
export interface PodCounts {
  /** Running and ready. */
  readonly running: number;
  /** Without a node or a running container. */
  readonly starting: number;
  /** In back-off after a crash or a failed image pull. */
  readonly failing: number;
  /** Terminating. */
  readonly ending: number;
}

/** A node with its pods. */
export interface NodeLine {
  readonly name: string;
  readonly counts: PodCounts;
  /** Its problems: `cordoned`, `not ready`. */
  readonly note: string;
}

/** A warning. */
export interface WarningLine {
  /** Last occurrence, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly reason: string;
  /** `pod/web-0`. */
  readonly object: string;
  readonly message: string;
  /** The number of occurrences. */
  readonly count: number;
}

/** An informer. */
export interface InformerLine {
  readonly name: string;
  /** `live`, or what it is waiting for. */
  readonly state: string;
  readonly isWell: boolean;
  readonly objects: number;
}

/** A queue with its length. */
export interface QueueLine {
  readonly name: string;
  readonly depth: number;
}

/** Where collected events go, and how many there are. */
export interface CollectionLine {
  readonly place: string;
  readonly written: number;
  readonly dropped: number;
}

/** The state that the demo shows. */
export interface DemoState {
  /** `simulated cluster`, or the address of a server. */
  readonly title: string;
  readonly nowMs: number;
  readonly elapsedMs: number;
  readonly nodes: readonly NodeLine[];
  /** Pods without a node. */
  readonly homeless: PodCounts;
  readonly totals: PodCounts;
  readonly events: {
    readonly seen: number;
    readonly perSecond: number;
    /** Events in each of the last seconds, newest last. */
    readonly history: readonly number[];
  };
  /** Newest first. */
  readonly warnings: readonly WarningLine[];
  readonly informers: readonly InformerLine[];
  readonly queues: readonly QueueLine[];
  readonly collection: CollectionLine | undefined;
  /** A command to try in another terminal. */
  readonly hint: string;
}

/** No pods. */
export const noPods: PodCounts = { running: 0, starting: 0, failing: 0, ending: 0 };

/** The total. */
export function totalOf({ running, starting, failing, ending }: PodCounts): number {
  return running + starting + failing + ending;
}

/** The sum. */
export function addCounts(left: PodCounts, right: PodCounts): PodCounts {
  return {
    running: left.running + right.running,
    starting: left.starting + right.starting,
    failing: left.failing + right.failing,
    ending: left.ending + right.ending,
  };
}
