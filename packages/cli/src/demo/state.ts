/** The number of pods by condition. */
export interface PodCounts {
  /** Running and ready. */
  readonly running: number;
  /** Without a node or a running container. */
  readonly starting: number;
  /** In back-off after a crash or a failed image pull. */
  readonly failing: number;
  /** Marked for deletion. */
  readonly terminating: number;
}

/** A node with its pods. */
export interface NodeLine {
  readonly name: string;
  readonly counts: PodCounts;
  /** `cordoned`, `not ready`; empty if neither. */
  readonly note: string;
}

/** A warning event. */
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

/** The state of an informer. */
export interface InformerLine {
  readonly name: string;
  /** `live`, or why it is not. */
  readonly state: string;
  readonly isLive: boolean;
  readonly objects: number;
}

/** The length of a queue. */
export interface QueueLine {
  readonly name: string;
  readonly depth: number;
}

/** The file of collected events, and how many it has. */
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
  readonly unscheduled: PodCounts;
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
  /** The address of the inspector; empty if it is not served. */
  readonly inspector: string;
}

/** Zero pods in every condition. */
export const noPods: PodCounts = { running: 0, starting: 0, failing: 0, terminating: 0 };

/** Returns the number of pods in all conditions. */
export function totalOf({ running, starting, failing, terminating }: PodCounts): number {
  return running + starting + failing + terminating;
}

/** Adds two counts by condition. */
export function addCounts(left: PodCounts, right: PodCounts): PodCounts {
  return {
    running: left.running + right.running,
    starting: left.starting + right.starting,
    failing: left.failing + right.failing,
    terminating: left.terminating + right.terminating,
  };
}
