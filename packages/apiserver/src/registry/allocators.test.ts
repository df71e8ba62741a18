import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from 'client-ts/internal';
import fc from 'fast-check';
import { AllocationError, ServiceAllocators } from './allocators.ts';

const code = (expected: string) => (error: unknown) =>
  error instanceof AllocationError && error.code === expected;

describe('cluster IPs', () => {
  it('allocates every address between network and broadcast address once', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const allocators = new ServiceAllocators({
          random: seededRandom(seed),
          serviceCIDRs: ['10.0.0.0/27'],
        });
        const given = new Set<string>();
        for (let count = 0; count < 30; count += 1) {
          given.add(allocators.clusterIP('IPv4', undefined));
        }
        assert.equal(given.size, 30);
        assert.ok(!given.has('10.0.0.0') && !given.has('10.0.0.31'));
        assert.throws(
          () => allocators.clusterIP('IPv4', undefined),
          code('APISERVER_ALLOCATION_FULL'),
        );
        allocators.releaseClusterIP('10.0.0.7');
        assert.equal(allocators.clusterIP('IPv4', undefined), '10.0.0.7');
      }),
      { numRuns: 20 },
    );
  });

  it('reserves the lower part of the range for explicit requests', () => {
    const allocators = new ServiceAllocators({ random: seededRandom(1) });
    for (let count = 0; count < 238; count += 1) {
      const last = Number(allocators.clusterIP('IPv4', undefined).split('.')[3]);
      assert.ok(last > 16, `10.0.0.${last}`);
    }
    assert.ok(Number(allocators.clusterIP('IPv4', undefined).split('.')[3]) <= 16);
  });

  it('reports why a requested address cannot be allocated', () => {
    const allocators = new ServiceAllocators({ random: seededRandom(1) });
    assert.equal(allocators.clusterIP('IPv4', '10.0.0.5'), '10.0.0.5');
    assert.throws(() => allocators.clusterIP('IPv4', '10.0.0.5'), {
      message: 'provided IP is already allocated',
    });
    for (const address of ['192.168.7.7', '10.0.0.0', '10.0.0.255', 'fd00::1']) {
      assert.throws(() => allocators.clusterIP('IPv4', address), {
        message: 'the provided network does not match the current range',
      });
    }
  });

  it('supports two IP families', () => {
    const allocators = new ServiceAllocators({
      random: seededRandom(1),
      serviceCIDRs: ['fd00::/112', '10.1.0.0/16'],
    });
    assert.deepEqual(allocators.ipFamilies, ['IPv6', 'IPv4']);
    assert.match(allocators.clusterIP('IPv6', undefined), /^fd00::/);
    assert.match(allocators.clusterIP('IPv4', undefined), /^10\.1\./);
    assert.throws(
      () =>
        new ServiceAllocators({
          random: seededRandom(1),
          serviceCIDRs: ['10.0.0.0/24', '10.1.0.0/24'],
        }),
      TypeError,
    );
    assert.throws(
      () => new ServiceAllocators({ random: seededRandom(1), serviceCIDRs: ['ten'] }),
      TypeError,
    );
  });
});

describe('node ports', () => {
  it('come from the range, each once', () => {
    const allocators = new ServiceAllocators({
      random: seededRandom(1),
      nodePorts: [30000, 30001],
    });
    const given = [allocators.nodePort(undefined), allocators.nodePort(undefined)];
    assert.deepEqual(
      given.toSorted((left, right) => left - right),
      [30000, 30001],
    );
    assert.throws(() => allocators.nodePort(undefined), code('APISERVER_ALLOCATION_FULL'));
    assert.throws(() => allocators.nodePort(30000), {
      message: 'provided port is already allocated',
    });
    assert.throws(() => allocators.nodePort(80), {
      message: 'provided port is not in the valid range. The range of valid ports is 30000-30001',
    });
  });
});

describe('a transaction', () => {
  it('releases what it took when it is reverted, and keeps what it released', () => {
    const allocators = new ServiceAllocators({
      random: seededRandom(1),
      nodePorts: [30000, 30001],
    });
    allocators.nodePort(30000);
    const transaction = allocators.begin();
    transaction.nodePort(30001);
    transaction.releaseNodePort(30000);
    assert.throws(() => allocators.nodePort(30000), code('APISERVER_ALLOCATION_TAKEN'));
    transaction.revert();
    assert.throws(() => allocators.nodePort(30000), code('APISERVER_ALLOCATION_TAKEN'));
    assert.equal(allocators.nodePort(30001), 30001);
  });

  it('applies both when it is committed', () => {
    const allocators = new ServiceAllocators({ random: seededRandom(1) });
    const old = allocators.clusterIP('IPv4', undefined);
    const transaction = allocators.begin();
    const taken = transaction.clusterIP('IPv4', undefined);
    transaction.releaseClusterIP(old);
    transaction.commit();
    transaction.revert();
    assert.equal(allocators.clusterIP('IPv4', old), old);
    assert.throws(() => allocators.clusterIP('IPv4', taken), code('APISERVER_ALLOCATION_TAKEN'));
  });
});
