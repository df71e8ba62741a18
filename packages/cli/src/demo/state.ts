/** How many pods are in which condition. */
export interface PodCounts {
  /** Ready, or done with getting ready. */
  readonly running: number;
  /** On their way up: no node yet, or no container. */
  readonly starting: number;
  /** Waiting to be started again, or for an image that does not come. */
  readonly failing: number;
  /** On their way out. */
  readonly ending: number;
}

/** A node and what is on it. */
export interface NodeLine {
  readonly name: string;
  readonly counts: PodCounts;
  /** What is odd about it, in a word or two: `cordoned`, `not ready`. */
  readonly note: string;
}

/** Something that somebody should look at. */
export interface WarningLine {
  /** When it was last seen, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly reason: string;
  /** `pod/web-0`. */
  readonly object: string;
  readonly message: string;
  /** How often it was seen. */
  readonly count: number;
}

/** One informer, as people want to know of it. */
export interface InformerLine {
  readonly name: string;
  /** `live` when all is well; otherwise what it waits for. */
  readonly state: string;
  readonly isWell: boolean;
  readonly objects: number;
}

/** A queue and how many items wait in it. */
export interface QueueLine {
  readonly name: string;
  readonly depth: number;
}

/** Where collected events go, and how many are there. */
export interface CollectionLine {
  readonly place: string;
  readonly written: number;
  readonly dropped: number;
}

/** Everything that the demo shows. */
export interface DemoState {
  /** What is looked at: `simulated cluster`, or the address of a server. */
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
    /** Events in each of the last seconds, the newest last. */
    readonly history: readonly number[];
  };
  /** The newest first. */
  readonly warnings: readonly WarningLine[];
  readonly informers: readonly InformerLine[];
  readonly queues: readonly QueueLine[];
  readonly collection: CollectionLine | undefined;
  /** What to try meanwhile, in another terminal. */
  readonly hint: string;
}

/** No pods at all. */
export const noPods: PodCounts = { running: 0, starting: 0, failing: 0, ending: 0 };

/** All of them. */
export function totalOf({ running, starting, failing, ending }: PodCounts): number {
  return running + starting + failing + ending;
}

/** Both together. */
export function addCounts(left: PodCounts, right: PodCounts): PodCounts {
  return {
    running: left.running + right.running,
    starting: left.starting + right.starting,
    failing: left.failing + right.failing,
    ending: left.ending + right.ending,
  };
}
