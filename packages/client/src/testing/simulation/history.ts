import type { GuardWarning } from '../../observe/guard-warnings.ts';
import type { RequestTarget } from './request-target.ts';
import type { ServerWrite, SimulationServer } from './simulation-server.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';

/** A request of a process of the simulation. */
export interface SimulatedRequest extends RequestTarget {
  /** The identity of the process. */
  readonly process: string;
  /** True if the process runs the controllers that are tested. */
  readonly isController: boolean;
  readonly sentAtMs: number;
  /** The resourceVersion of the newest write when the request was sent. */
  readonly sentAtRevision: number;
}

/** A write that the server has stored. */
export interface SimulatedWrite extends ServerWrite {
  readonly atMs: number;
  /** The identity of the process whose request it was; `server` for its own controllers. */
  readonly by: string;
  /** True if it was a request of the controllers that are tested. */
  readonly isController: boolean;
}

/** What processes have sent and what the server has stored. */
export class History {
  readonly writes: SimulatedWrite[] = [];
  readonly requests: SimulatedRequest[] = [];
  readonly guardWarnings: GuardWarning[] = [];
  readonly trace: Trace;
  /** When the controllers were started. */
  originMs = 0;
  /** Called after each write. */
  onWrite: ((write: SimulatedWrite) => void) | undefined;
  /** Called for each step of the simulation itself. */
  onStep: ((who: string, what: string) => void) | undefined;
  readonly #timeline: Timeline;
  #handled: SimulatedRequest | undefined;

  constructor(timeline: Timeline, trace: Trace, server: SimulationServer) {
    this.#timeline = timeline;
    this.trace = trace;
    server.onWrite((write) => this.#add(write));
  }

  /** Attributes writes to a request until it is answered. */
  handle(request: SimulatedRequest | undefined): void {
    this.#handled = request;
  }

  /** Milliseconds since the controllers were started. */
  get nowMs(): number {
    return this.#timeline.nowMs - this.originMs;
  }

  /** The controllers are started: what was before is not part of the history. */
  begin(): void {
    this.originMs = this.#timeline.nowMs;
    this.writes.length = 0;
    this.requests.length = 0;
    this.trace.lines.length = 0;
  }

  note(who: string, what: string, isDetail = false): void {
    this.trace.add(this.nowMs, who, what, isDetail);
  }

  /** Notes a step of the simulation itself, which a recorded session has too. */
  step(who: string, what: string): void {
    this.note(who, what);
    this.onStep?.(who, what);
  }

  /** Returns the resourceVersion of the newest write at a time. */
  revisionAt(atMs: number): number | undefined {
    return this.writes.findLast((write) => write.atMs <= atMs)?.revision;
  }

  #add(write: ServerWrite): void {
    const handled = this.#handled;
    const isOwn = handled?.group === write.group && handled.resource === write.resource;
    const stored: SimulatedWrite = {
      ...write,
      atMs: this.nowMs,
      by: isOwn ? handled.process : 'server',
      isController: isOwn && handled.isController,
    };
    this.writes.push(stored);
    this.onWrite?.(stored);
  }
}
