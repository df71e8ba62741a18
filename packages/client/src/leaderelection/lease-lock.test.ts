import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lease } from '../api/coordination/v1.ts';
import { seededRandom } from '../lib/random.ts';
import type { EventRecorder } from '../record/event-recorder.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import {
  type LeaderEventRecorder,
  type LeaseClient,
  LeaseLock,
  type LeasesGetter,
} from './lease-lock.ts';

const record = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-01T00:00:02.000001Z',
  leaderTransitions: 3,
};

/** A client that records writes and returns one lease. */
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

function clientWith(leases: LeaseClient): LeasesGetter {
  return { coordinationV1: { leases: () => leases } };
}

function lockOn(leases: LeaseClient, more: object = {}): LeaseLock {
  const client = clientWith(leases);
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

  it('reads a lease without a spec', async () => {
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

  it('keeps all other fields in an update, and the resourceVersion it read', async () => {
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

  it('writes no labels without the option', async () => {
    const client = new Leases({ metadata: { name: 'web' } });
    const lock = lockOn(client);
    await lock.get();
    await lock.update(record);
    assert.deepEqual(client.written[0]?.metadata, { name: 'web' });
  });

  it('rejects an update before the first read', async () => {
    await assert.rejects(
      lockOn(new Leases()).update(record),
      (error) =>
        error instanceof LeaderElectionError && error.code === 'LEADERELECTION_LOCK_UNREAD',
    );
  });

  it('records events about the lease', async () => {
    const recorded: unknown[] = [];
    const eventRecorder: LeaderEventRecorder = {
      event: (...parts) => void recorded.push(parts),
    };
    const leases = new Leases({ metadata: { uid: 'u', resourceVersion: '7' } });
    const lock = lockOn(leases, { eventRecorder });
    await lock.get();
    lock.recordEvent('became leader');
    const metadata = { name: 'web', namespace: 'apps', uid: 'u', resourceVersion: '7' };
    assert.deepEqual(recorded, [
      [
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata },
        'Normal',
        'LeaderElection',
        'a became leader',
      ],
    ]);
  });

  it('accepts an EventRecorder', () => {
    const messages: string[] = [];
    const recorder: EventRecorder = {
      event: (_object, _type, _reason, message) => void messages.push(message),
    };
    const eventRecorder = recorder satisfies LeaderEventRecorder;
    lockOn(new Leases(), { eventRecorder }).recordEvent('became leader');
    assert.deepEqual(messages, ['a became leader']);
  });

  it('has a unique identity by default', () => {
    const options = { client: clientWith(new Leases()), namespace: 'apps', name: 'web' };
    const random = seededRandom(1);
    const [first, second] = [1, 2].map(() => new LeaseLock({ ...options, random }).identity);
    assert.notEqual(first, second);
    assert.match(first ?? '', /^.+_[0-9a-f-]{36}$/);
    assert.equal(new LeaseLock(options).describe(), 'apps/web');
  });
});

describe('the options of a lease lock', () => {
  for (const option of ['name', 'namespace'] as const) {
    it(`require a ${option}`, () => {
      const options = { namespace: 'apps', name: 'web', [option]: '' };
      assert.throws(() => new LeaseLock({ client: clientWith(new Leases()), ...options }), {
        code: 'LEADERELECTION_CONFIG_INVALID',
        message: `${option} of the lease must not be empty`,
      });
    });
  }
});
