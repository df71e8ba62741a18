import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { cloneJson, seededRandom } from 'client-ts/internal';
import { ApiError } from 'client-ts/meta';

import type * as core from 'client-ts/api/core/v1';
import type { FieldError } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { ServiceAllocators } from '../../../allocators.ts';
import type { StrategyContext } from '../../../strategy.ts';
import { serviceStrategy } from './service.ts';

/*
 * Services in a dual-stack cluster.
 */

type Service = Loose<core.Service>;

const metadata = { name: 's', namespace: 'n', uid: 'u', resourceVersion: '1' };

class Cluster {
  readonly #allocators: ServiceAllocators;

  constructor(...serviceCIDRs: string[]) {
    this.#allocators = new ServiceAllocators({ random: seededRandom(1), serviceCIDRs });
  }

  /** Returns the service as stored, or its errors. */
  create(spec: object): Service | string[] {
    const service: Service = { metadata: { ...metadata }, spec: cloneJson(spec) };
    const context = { allocators: this.#allocators } as unknown as StrategyContext;
    return answer(service, () => {
      serviceStrategy.setDefaults?.(service);
      serviceStrategy.prepareForCreate?.(service, context);
      return serviceStrategy.validate?.(service, context) ?? [];
    });
  }

  remove(service: Service): void {
    const context = { allocators: this.#allocators } as unknown as StrategyContext;
    serviceStrategy.afterDelete?.(service, context);
  }

  update(old: Service, spec: object): Service | string[] {
    const service: Service = {
      metadata: { ...metadata },
      spec: { ...cloneJson(old.spec ?? {}), ...spec },
    };
    const context = { allocators: this.#allocators } as unknown as StrategyContext;
    return answer(service, () => {
      serviceStrategy.setDefaults?.(service);
      serviceStrategy.prepareForUpdate?.(service, cloneJson(old), context);
      return serviceStrategy.validateUpdate?.(service, old, context) ?? [];
    });
  }
}

/** Errors may be thrown during preparation, or returned by validation. */
function answer(service: Service, run: () => FieldError[]): Service | string[] {
  try {
    const errors = run();
    return errors.length === 0
      ? service
      : errors.map(({ field, message }) => `${field}: ${message}`);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return (error.status.details?.causes ?? []).map(
      ({ field = '', message = '' }) => `${field}: ${message}`,
    );
  }
}

const PORTS = { ports: [{ port: 80 }] };
const dual = (): Cluster => new Cluster('10.0.0.0/24', 'fd00::/112');

function specOf(service: Service | string[]): Loose<core.ServiceSpec> {
  assert.ok(!Array.isArray(service), JSON.stringify(service));
  return service.spec ?? {};
}

function familiesOf(service: Service | string[]): unknown {
  const { clusterIPs = [], ipFamilies, ipFamilyPolicy } = specOf(service);
  return [clusterIPs.map((ip) => (ip.includes(':') ? 6 : 4)), ipFamilies, ipFamilyPolicy];
}

describe('a service in a dual-stack cluster', () => {
  it('has one address, unless its policy asks for two', () => {
    assert.deepEqual(familiesOf(dual().create(PORTS)), [[4], ['IPv4'], 'SingleStack']);
    for (const ipFamilyPolicy of ['PreferDualStack', 'RequireDualStack']) {
      assert.deepEqual(familiesOf(dual().create({ ...PORTS, ipFamilyPolicy })), [
        [4, 6],
        ['IPv4', 'IPv6'],
        ipFamilyPolicy,
      ]);
    }
    assert.deepEqual(familiesOf(dual().create({ ...PORTS, ipFamilies: ['IPv6'] })), [
      [6],
      ['IPv6'],
      'SingleStack',
    ]);
    const ipFamilyPolicy = 'RequireDualStack';
    assert.deepEqual(
      familiesOf(dual().create({ ...PORTS, ipFamilyPolicy, ipFamilies: ['IPv6'] })),
      [[6, 4], ['IPv6', 'IPv4'], ipFamilyPolicy],
    );
    assert.deepEqual(familiesOf(dual().create({ ...PORTS, clusterIP: 'fd00::5' })), [
      [6],
      ['IPv6'],
      'SingleStack',
    ]);
    const clusterIPs = ['10.0.0.7', 'fd00::7'];
    assert.deepEqual(
      familiesOf(dual().create({ ...PORTS, ipFamilyPolicy, clusterIPs, clusterIP: '10.0.0.7' })),
      [[4, 6], ['IPv4', 'IPv6'], ipFamilyPolicy],
    );
  });

  it('rejects contradicting families, addresses and policies', () => {
    const clusterIPs = ['10.0.0.7', 'fd00::7'];
    const policy = 'spec.ipFamilyPolicy: Invalid value: "SingleStack": ';
    const multiple = `${policy}must be 'RequireDualStack' or 'PreferDualStack' when multiple`;
    assert.deepEqual(dual().create({ ...PORTS, ipFamilies: ['IPv4', 'IPv6'] }), [
      `${multiple} IP families are specified`,
    ]);
    assert.deepEqual(dual().create({ ...PORTS, clusterIPs, clusterIP: '10.0.0.7' }), [
      `${multiple} cluster IPs are specified`,
    ]);
    assert.deepEqual(dual().create({ ...PORTS, ipFamilies: ['IPv6'], clusterIP: '10.0.0.9' }), [
      'spec.clusterIPs[0]: Invalid value: "10.0.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ]);
  });

  it('is headless in as many families', () => {
    const selector = { a: 'b' };
    const headless = { ...PORTS, selector, clusterIP: 'None' };
    const { ipFamilies, ipFamilyPolicy } = specOf(dual().create(headless));
    assert.deepEqual([ipFamilies, ipFamilyPolicy], [['IPv4'], 'SingleStack']);
    const none = specOf(dual().create({ ...PORTS, clusterIP: 'None' }));
    assert.deepEqual(
      [none.ipFamilies, none.ipFamilyPolicy],
      [['IPv4', 'IPv6'], 'RequireDualStack'],
    );
  });

  it('can add and remove its second address', () => {
    const cluster = dual();
    const service = cluster.create(PORTS);
    assert.ok(!Array.isArray(service));
    const both = cluster.update(service, { ipFamilyPolicy: 'PreferDualStack' });
    assert.deepEqual(familiesOf(both), [[4, 6], ['IPv4', 'IPv6'], 'PreferDualStack']);
    assert.ok(!Array.isArray(both));
    const one = cluster.update(both, { ipFamilyPolicy: 'SingleStack' });
    assert.deepEqual(familiesOf(one), [[4], ['IPv4'], 'SingleStack']);
    const [first] = both.spec?.clusterIPs ?? [];
    assert.equal(specOf(one).clusterIP, first);
  });

  it('releases all addresses when it is deleted', () => {
    const cluster = new Cluster('10.0.0.0/30', 'fd00::/112');
    const service = cluster.create({ ...PORTS, ipFamilyPolicy: 'RequireDualStack' });
    assert.ok(!Array.isArray(service));
    specOf(cluster.create(PORTS));
    assert.match(JSON.stringify(cluster.create(PORTS)), /range is full/);
    cluster.remove(service);
    assert.equal(specOf(cluster.create(PORTS)).clusterIP, service.spec?.clusterIP);
  });
});

describe('a service in a single-stack cluster', () => {
  it('gets one address if it prefers dual-stack', () => {
    const cluster = new Cluster('10.0.0.0/24');
    assert.deepEqual(familiesOf(cluster.create({ ...PORTS, ipFamilyPolicy: 'PreferDualStack' })), [
      [4],
      ['IPv4'],
      'PreferDualStack',
    ]);
    assert.deepEqual(cluster.create({ ...PORTS, ipFamilyPolicy: 'RequireDualStack' }), [
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ]);
  });
});
