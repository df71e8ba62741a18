import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lease } from '../api/coordination/v1.ts';
import { seededRandom } from '../lib/random.ts';
import type { EventRecorder } from '../record/event-recorder.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { type LeaderEventSink, type LeaseClient, LeaseLock } from './lease-lock.ts';

const record = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-01T00:00:02.000001Z',
  leaderTransitions: 3,
};

/** A client that keeps what it is given, and answers with one lease. */
class Leases implements LeaseClient {
  readonly written: Lease[] = [];
  readonly #stored: Lease;

  constructor(stored: Lease = {}) {
    this.#stored = stored;
  }

  async get(): Promise<Lease> {
    return this.#stored;
  }

  async create(lease: Lease): Promise<Lease> {
    this.written.push(lease);
    return lease;
  }

  async update(lease: Lease): Promise<Lease> {
    this.written.push(lease);
    return lease;
  }
}

function lockOn(client: LeaseClient, more: object = {}): LeaseLock {
  return new LeaseLock({ client, namespace: 'apps', name: 'web', identity: 'a', ...more });
}

describe('a lease lock', () => {
  it('creates a whole lease', async () => {
    const client = new Leases();
    const stored = await lockOn(client, { labels: { app: 'web' } }).create(record);
    assert.deepEqual(client.written, [
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'web', namespace: 'apps', labels: { app: 'web' } },
        spec: {
          holderIdentity: 'a',
          leaseDurationSeconds: 15,
          acquireTime: '2026-01-01T00:00:00.000000Z',
          renewTime: '2026-01-01T00:00:02.000001Z',
          leaseTransitions: 3,
        },
      },
    ]);
    assert.deepEqual(stored, { ...record, strategy: undefined, preferredHolder: undefined });
  });

  it('reads a lease that says nothing', async () => {
    assert.deepEqual(await lockOn(new Leases()).get(), {
      holderIdentity: '',
      leaseDurationSeconds: 0,
      acquireTime: undefined,
      renewTime: undefined,
      leaderTransitions: 0,
      strategy: undefined,
      preferredHolder: undefined,
    });
  });

  it('loses no field with an update, and builds on the version that it read', async () => {
    const stored = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: 'web',
        resourceVersion: '7',
        labels: { team: 'x', app: 'old' },
        annotations: { note: 'kept' },
      },
      spec: {
        holderIdentity: 'b',
        strategy: 'OldestEmulationVersion',
        preferredHolder: 'c',
        ofTheFuture: true,
      },
    } as const;
    const client = new Leases(stored);
    const lock = lockOn(client, { labels: { app: 'web' } });
    const read = await lock.get();
    assert.equal(read.strategy, 'OldestEmulationVersion');
    assert.equal(read.preferredHolder, 'c');
    await lock.update({ ...record, acquireTime: undefined });
    assert.deepEqual(client.written, [
      {
        ...stored,
        metadata: { ...stored.metadata, labels: { team: 'x', app: 'web' } },
        spec: {
          ...stored.spec,
          holderIdentity: 'a',
          leaseDurationSeconds: 15,
          renewTime: '2026-01-01T00:00:02.000001Z',
          leaseTransitions: 3,
        },
      },
    ]);
  });

  it('adds no labels where there are none', async () => {
    const client = new Leases({ metadata: { name: 'web' } });
    const lock = lockOn(client);
    await lock.get();
    await lock.update(record);
    assert.deepEqual(client.written[0]?.metadata, { name: 'web' });
  });

  it('refuses an update of what it has not read', async () => {
    await assert.rejects(
      lockOn(new Leases()).update(record),
      (error) =>
        error instanceof LeaderElectionError && error.code === 'LEADERELECTION_LOCK_UNREAD',
    );
  });

  it('tells events about the lease', async () => {
    const told: unknown[] = [];
    const events: LeaderEventSink = { event: (...parts) => void told.push(parts) };
    const lock = lockOn(new Leases({ metadata: { uid: 'u', resourceVersion: '7' } }), { events });
    await lock.get();
    lock.recordEvent('became leader');
    const metadata = { name: 'web', namespace: 'apps', uid: 'u', resourceVersion: '7' };
    assert.deepEqual(told, [
      [
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata },
        'Normal',
        'LeaderElection',
        'a became leader',
      ],
    ]);
  });

  it('takes a recorder of events as it is', () => {
    const told: string[] = [];
    const recorder: EventRecorder = {
      event: (_object, _type, _reason, message) => void told.push(message),
    };
    lockOn(new Leases(), { events: recorder satisfies LeaderEventSink }).recordEvent('waits');
    assert.deepEqual(told, ['a waits']);
  });

  it('makes up an identity that no other has', () => {
    const options = { client: new Leases(), namespace: 'apps', name: 'web' };
    const random = seededRandom(1);
    const [first, second] = [1, 2].map(() => new LeaseLock({ ...options, random }).identity);
    assert.notEqual(first, second);
    assert.match(first ?? '', /^.+_[0-9a-f-]{36}$/);
    assert.equal(new LeaseLock(options).describe(), 'apps/web');
  });
});

describe('the place of a lease', () => {
  for (const option of ['name', 'namespace'] as const) {
    it(`must have a ${option}`, () => {
      const place = { namespace: 'apps', name: 'web', [option]: '' };
      assert.throws(() => new LeaseLock({ client: new Leases(), ...place }), {
        code: 'LEADERELECTION_CONFIG_INVALID',
        message: `${option} of the lease must not be empty`,
      });
    });
  }
});
