import type { PlannedFault } from './fault.ts';
import { isHousekeeping, isWrite, type RequestTarget } from './request-target.ts';
import type { Timeline } from './timeline.ts';

/** What happens to a request. */
export type RequestFate =
  | 'break-after'
  | 'break-before'
  | 'crash-after'
  | 'pass'
  | 'unanswered'
  | { readonly code: number; readonly takesEffect: boolean };

/** The faults that hold for one replica, across restarts of its process. */
export class Conditions {
  readonly #timeline: Timeline;
  /** Returns a number in [0, 1) of the seed. */
  readonly #draw: () => number;
  readonly #active = new Set<PlannedFault>();
  readonly #armed: PlannedFault[] = [];

  constructor(timeline: Timeline, draw: () => number) {
    this.#timeline = timeline;
    this.#draw = draw;
  }

  /** A fault begins, which lasts for a while. */
  begin(fault: PlannedFault): void {
    this.#active.add(fault);
    this.#timeline.schedule(fault.forMs, () => this.#active.delete(fault));
  }

  /** The next write of the replica is the last of its process. */
  armCrash(fault: PlannedFault): void {
    this.#armed.push(fault);
  }

  /** All faults end. */
  clear(): void {
    this.#active.clear();
    this.#armed.length = 0;
  }

  /** Decides the fate of a request when it is sent. */
  fateOf(target: RequestTarget): RequestFate {
    if (this.#find('partition') !== undefined) return 'unanswered';
    if (this.#find('dropped-connections') !== undefined) {
      return this.#draw() < 0.5 ? 'break-before' : 'break-after';
    }
    if (target.verb !== 'watch') {
      if (this.#find('throttling') !== undefined) return { code: 429, takesEffect: false };
      if (this.#find('server-error') !== undefined) return this.#serverError();
    }
    if (this.#find('conflict') !== undefined && target.verb === 'update') {
      return { code: 409, takesEffect: false };
    }
    if (this.#armed.length > 0 && isWrite(target) && !isHousekeeping(target)) return 'crash-after';
    return 'pass';
  }

  /** Returns the fault that an answered write sets off, once. */
  takeCrash(): PlannedFault | undefined {
    return this.#armed.shift();
  }

  /** Returns how much later than usual a watch event of a resource arrives. */
  eventDelayMs(resource: string): number {
    const lateMs = this.#find('late-events')?.delayMs ?? 0;
    const stale = this.#find('stale-reads')?.delayMs ?? 0;
    const reordered = this.#find('reordered-events');
    const shareMs = reordered === undefined ? 0 : reordered.delayMs * share(reordered, resource);
    return Math.max(lateMs, stale, Math.round(shareMs)) + this.answerDelayMs;
  }

  /** How much later than usual an answer arrives. */
  get answerDelayMs(): number {
    return this.#find('slow-handlers')?.delayMs ?? 0;
  }

  /** True while watch events are held back. */
  get holdsEvents(): boolean {
    return this.#find('lost-events') !== undefined || this.#find('partition') !== undefined;
  }

  /** How far the watch cache of the server is behind. */
  get behindMs(): number {
    return this.#find('stale-reads')?.delayMs ?? 0;
  }

  #find(kind: PlannedFault['kind']): PlannedFault | undefined {
    for (const fault of this.#active) if (fault.kind === kind) return fault;
    return undefined;
  }

  #serverError(): RequestFate {
    const draw = this.#draw();
    if (draw < 0.4) return { code: 500, takesEffect: false };
    if (draw < 0.7) return { code: 503, takesEffect: false };
    return { code: 504, takesEffect: draw < 0.85 };
  }
}

/** Returns a number in [0, 1) for a resource, another one for each fault. */
function share({ atMs }: PlannedFault, resource: string): number {
  let hash = (atMs ^ 0x811c9dc5) >>> 0;
  for (const letter of resource) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash / 2 ** 32;
}
