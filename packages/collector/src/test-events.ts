import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CollectedEvent } from './collected-event.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';

/** For tests: true if this Node has SQLite with full-text search. */
export const hasSqlite: boolean = ((): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 16);
})();

/** For tests: an event with the given fields. */
export function anEvent(
  number: number,
  { version = number, ...fields }: Partial<CollectedEvent> & { readonly version?: number } = {},
): CollectedEvent {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  return {
    uid: `uid-${number}`,
    resourceVersion: `${version}`,
    namespace: 'default',
    name: `web-${number}.18`,
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned default/web-${number} to node-1`,
    object: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: `web-${number}` },
    count: 1,
    firstSeen: time,
    lastSeen: time,
    createdAt: time,
    receivedAt: time,
    ...fields,
  };
}

/** For tests: a position on the test server. */
export function at(resourceVersion: number): Position {
  return {
    source: 'https://server',
    resourceVersion: `${resourceVersion}`,
    time: '2026-01-01T00:00:00.000Z',
  };
}

/** For tests: a directory that is removed after the test. */
export async function folder(t: Pick<TestContext, 'after'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'client-ts-collector-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** For tests: a sink in memory that can fail, hang and reject events. */
export class MemorySink implements CollectorSink {
  readonly name: string;
  readonly batches: (readonly CollectedEvent[])[] = [];
  readonly positions: (Position | undefined)[] = [];
  readonly gaps: Gap[] = [];
  isDown = false;
  isClosed = false;
  refuses: (event: CollectedEvent) => boolean = () => false;
  /** Awaited before each write. */
  gate: Promise<void> = Promise.resolve();

  constructor(name = 'memory') {
    this.name = name;
  }

  get events(): CollectedEvent[] {
    return this.batches.flat();
  }

  /** The newest state of every event, by uid. */
  get state(): Map<string, CollectedEvent> {
    const state = new Map<string, CollectedEvent>();
    for (const event of this.events) {
      const old = state.get(event.uid);
      if (old === undefined || Number(old.resourceVersion) <= Number(event.resourceVersion)) {
        state.set(event.uid, event);
      }
    }
    return state;
  }

  async write(
    batch: readonly CollectedEvent[],
    position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    await this.gate;
    if (this.isDown) throw new Error('the sink is away');
    this.batches.push(batch.filter((event) => !this.refuses(event)));
    this.positions.push(position);
    return batch.filter(this.refuses).map((event) => ({ event, reason: 'not wanted' }));
  }

  async recordGap(gap: Gap): Promise<void> {
    if (this.isDown) throw new Error('the sink is away');
    this.gaps.push(gap);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
  }
}
