import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { seededRandom } from 'client-ts/internal';
import { ApiError } from 'client-ts/meta';
import { VirtualClock } from 'client-ts/testing';
import fc from 'fast-check';
import { MemoryStore } from '../store/memory-store.ts';
import { invalid } from '../validation/field-error.ts';
import { ServiceAllocators } from './allocators.ts';
import type { ApiObject } from './object.ts';
import { generateName } from './generate-name.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

interface Ground {
  readonly registry: Registry;
  readonly store: MemoryStore;
  readonly context: StrategyContext;
  readonly dry: StrategyContext;
  readonly warnings: string[];
}

function setUp(strategy: Strategy = {}, options: Partial<RegistryOptions> = {}): Ground {
  const store = new MemoryStore();
  const warnings: string[] = [];
  const random = seededRandom(1);
  const context: StrategyContext = {
    clock: new VirtualClock(),
    random,
    namespace: 'n',
    isAllowed: () => true,
    plugins: new Set(),
    enforcesRoles: true,
    lookup: () => undefined,
    list: () => [],
    warn: (text) => warnings.push(text),
    allocators: new ServiceAllocators({ random }),
    dryRun: false,
    floats: [],
  };
  const registry = new Registry({
    group: 'example.com',
    resource: 'things',
    kind: 'Thing',
    namespaced: true,
    hasStatus: true,
    store,
    strategy,
    ...options,
  });
  return { registry, store, context, dry: { ...context, dryRun: true }, warnings };
}

function thing(name: string, rest: object = {}): ApiObject {
  return { metadata: { name, namespace: 'n' }, ...rest };
}

/** Returns the stored object with a change, as a client would send it back. */
function changed({ registry }: Ground, name: string, change: object): ApiObject {
  return { ...structuredClone(registry.get('n', name).value), ...change } as ApiObject;
}

function statusOf(work: () => unknown): ApiError['status'] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.status;
  }
  return assert.fail('not refused');
}

describe('Registry.create', () => {
  it('calls the strategy in order, and stores its changes', () => {
    const calls: string[] = [];
    const ground = setUp({
      generation: 'spec',
      prepareForCreate: (object) => {
        calls.push('prepare');
        const { metadata, status } = object as ApiObject;
        assert.ok(metadata.uid && metadata.creationTimestamp);
        assert.equal(metadata.generation, 1);
        assert.equal(status, undefined);
        (object as ApiObject)['added'] = true;
      },
      validate: (object) => {
        calls.push('validate');
        assert.equal((object as ApiObject)['added'], true);
        return [];
      },
      warnings: () => ['careful'],
    });
    const { registry, context, warnings } = ground;
    const object = thing('a', { status: { phase: 'Made up' } });
    object.metadata.selfLink = '/a';
    const value = registry.create(object, context);
    assert.equal(value.metadata?.selfLink, undefined);
    assert.deepEqual(calls, ['prepare', 'validate']);
    assert.equal((value as ApiObject)['added'], true);
    assert.deepEqual(warnings, ['careful']);
    assert.equal(registry.get('n', 'a').value, value);
  });

  it('stores nothing if validation fails', () => {
    const ground = setUp({ validate: () => [invalid('spec.x', 1, 'must be even')] });
    const { code, message } = statusOf(() => ground.registry.create(thing('a'), ground.context));
    assert.equal(code, 422);
    assert.match(message ?? '', /Thing.example.com "a" is invalid: spec.x: Invalid value: 1/);
    assert.equal(ground.store.count('/example.com/things/'), 0);
  });

  it('keeps the status of kinds without /status', () => {
    const ground = setUp({}, { hasStatus: false });
    const value = ground.registry.create(thing('a', { status: { x: 1 } }), ground.context);
    assert.deepEqual((value as ApiObject)['status'], { x: 1 });
  });

  it('tries another name when one is taken, eight times at most', () => {
    const ground = setUp();
    const numbers: number[] = [];
    const random = { next: () => numbers.shift() ?? 0, uuid: () => 'uid' };
    const context = { ...ground.context, random };
    const made = (): string | undefined =>
      ground.registry.create({ metadata: { generateName: 'x-', namespace: 'n' } }, context).metadata
        ?.name;
    assert.equal(made(), 'x-bbbbb');
    // The first seven names are the taken one, the eighth is free.
    numbers.push(...Array.from({ length: 35 }, () => 0), 0.5, 0, 0, 0, 0);
    assert.equal(made(), 'x-rbbbb');
    numbers.push(...Array.from({ length: 40 }, () => 0), 0.9, 0, 0, 0, 0);
    const { code, details } = statusOf(made);
    assert.equal(code, 409);
    assert.equal(details?.retryAfterSeconds, 1);
  });
});

describe('Registry.update', () => {
  it('passes the old object to the strategy, frozen', () => {
    const seen: unknown[] = [];
    const ground = setUp({
      prepareForUpdate: (_object, old) => {
        seen.push((old as ApiObject)['spec']);
        (old as ApiObject)['spec'] = 'spoilt';
      },
    });
    const { registry, context } = ground;
    registry.create(thing('a', { spec: 1 }), context);
    registry.update('n', 'a', context, () => changed(ground, 'a', { spec: 2 }));
    assert.deepEqual(seen, [1]);
    assert.equal((registry.get('n', 'a').value as ApiObject)['spec'], 2);
  });

  it('rejects an update without a resourceVersion, where the kind requires one', () => {
    const ground = setUp({ unconditionalUpdate: false });
    const { registry, context } = ground;
    registry.create(thing('a'), context);
    for (const resourceVersion of ['', '0', undefined]) {
      const object = thing('a');
      if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
      const { code, details } = statusOf(() => registry.update('n', 'a', context, () => object));
      assert.equal(code, 422);
      assert.equal(details?.causes?.[0]?.field, 'metadata.resourceVersion');
    }
  });

  it('runs the hooks of its endpoint', () => {
    const ground = setUp({
      generation: 'spec',
      warnings: () => ['main'],
      statusWarnings: () => ['status'],
      subresources: {
        part: {
          prepare: (object, old) => {
            (object as ApiObject)['spec'] = (old as ApiObject)['spec'];
          },
          validate: (object) =>
            (object as ApiObject)['bad'] === true ? [invalid('bad', true, 'no')] : [],
        },
      },
    });
    const { registry, context, warnings } = ground;
    registry.create(thing('a', { spec: 1 }), context);
    warnings.length = 0;
    const all = { spec: 2, status: { s: 1 }, other: 3 };
    const update = (part: string): ApiObject =>
      registry.update('n', 'a', context, () => changed(ground, 'a', all), { part })
        .value as ApiObject;
    const status = update('status');
    assert.deepEqual([status['spec'], status['status'], status['other']], [1, { s: 1 }, undefined]);
    const part = update('part');
    assert.deepEqual([part['spec'], part['other']], [1, 3]);
    assert.equal(part.metadata.generation, 1);
    const main = update('main');
    assert.equal(main['spec'], 2);
    assert.equal(main.metadata.generation, 2);
    assert.deepEqual(warnings, ['status', 'main']);
    const bad = changed(ground, 'a', { bad: true });
    assert.equal(
      statusOf(() => registry.update('n', 'a', context, () => bad, { part: 'part' })).code,
      422,
    );
  });

  it('removes an object that loses its last finalizer, and shows watchers the stored one', () => {
    const deleted: unknown[] = [];
    const ground = setUp({ afterDelete: (object) => deleted.push(object.metadata?.name) });
    const { registry, context, dry, store } = ground;
    registry.create(
      { metadata: { name: 'a', namespace: 'n', finalizers: ['x/y'] }, spec: 1 },
      context,
    );
    registry.delete('n', 'a', {}, context);
    const last = registry.get('n', 'a').value;
    const free = (): ApiObject => {
      const object = changed(ground, 'a', { spec: 2 });
      delete object.metadata.finalizers;
      return object;
    };
    registry.update('n', 'a', dry, free);
    assert.equal(registry.get('n', 'a').value, last);
    assert.deepEqual(deleted, []);
    const { value } = registry.update('n', 'a', context, free);
    assert.equal((value as ApiObject)['spec'], 2);
    assert.equal(registry.find('n', 'a'), undefined);
    assert.deepEqual(deleted, ['a']);
    const [event] = store.history('/example.com/things/', store.revision - 1);
    assert.equal(event?.previous?.value, last);
  });

  it('keeps a deleted object with a grace period, or that the kind keeps', () => {
    const ground = setUp({
      gracePeriodSeconds: () => 30,
      isReadyToRemove: (object) => (object as ApiObject)['done'] === true,
    });
    const { registry, context } = ground;
    registry.create(thing('a'), context);
    registry.update('n', 'a', context, () => changed(ground, 'a', { done: true }));
    assert.ok(registry.find('n', 'a'));
    registry.delete('n', 'a', {}, context);
    registry.update('n', 'a', context, () => changed(ground, 'a', { done: false }));
    assert.ok(registry.find('n', 'a'));
    registry.update('n', 'a', context, () => changed(ground, 'a', { done: true }));
    assert.equal(registry.find('n', 'a'), undefined);
  });

  it('increments the generation as the kind says, and never for /status', () => {
    const uncounted = setUp();
    uncounted.registry.create(thing('a', { spec: 1 }), uncounted.context);
    const { value } = uncounted.registry.update('n', 'a', uncounted.context, () =>
      changed(uncounted, 'a', { spec: 2 }),
    );
    assert.equal(value.metadata?.generation, undefined);

    const counted = setUp({ generation: () => true });
    const { registry, context } = counted;
    registry.create(thing('a'), context);
    const update = (part: string, status: object): number | undefined =>
      registry.update('n', 'a', context, () => changed(counted, 'a', { status }), { part }).value
        .metadata?.generation;
    assert.equal(update('status', { a: 1 }), 1);
    assert.equal(update('main', { a: 2 }), 2);
  });

  it('records the managers of a status', () => {
    const ground = setUp();
    const { registry, context } = ground;
    registry.create(thing('a'), context);
    const object = changed(ground, 'a', { status: { a: 1 } });
    object.metadata.managedFields = [{ manager: 'me', operation: 'Update' }];
    object.metadata.labels = { not: 'for a status' };
    const { value } = registry.update('n', 'a', context, () => object, { part: 'status' });
    assert.equal(value.metadata?.managedFields?.[0]?.manager, 'me');
    assert.equal(value.metadata?.labels, undefined);
  });

  it('creates if allowed, with the checks of a create', () => {
    const ground = setUp({ createOnUpdate: true });
    const { registry, context } = ground;
    const object = thing('a');
    object.metadata.resourceVersion = '17';
    const checked: string[] = [];
    const { created } = registry.update('n', 'a', context, () => object, {
      beforeCreate: ({ metadata }) => checked.push(metadata.name ?? ''),
    });
    assert.equal(created, true);
    assert.deepEqual(checked, ['a']);
    const never = { mayCreate: false };
    assert.equal(
      statusOf(() => registry.update('n', 'b', context, () => thing('b'), never)).code,
      404,
    );
  });
});

describe('Registry.delete', () => {
  it('checks preconditions', () => {
    const ground = setUp();
    const { registry, context } = ground;
    const { metadata } = registry.create(thing('a'), context);
    const attempt = (preconditions: object): number | undefined =>
      statusOf(() => registry.delete('n', 'a', { preconditions }, context)).code;
    assert.equal(attempt({ uid: 'another' }), 409);
    assert.equal(attempt({ resourceVersion: '1' }), 409);
    const { uid = '', resourceVersion = '' } = metadata ?? {};
    assert.equal(attempt({ uid, resourceVersion: '1' }), 409);
    const { kind } = registry.delete(
      'n',
      'a',
      { preconditions: { uid, resourceVersion } },
      context,
    );
    assert.equal(kind, 'removed');
    assert.equal(statusOf(() => registry.delete('n', 'a', {}, context)).code, 404);
  });

  it('writes nothing if the object is already being deleted', () => {
    const { registry, context, store } = setUp();
    registry.create({ metadata: { name: 'a', namespace: 'n', finalizers: ['x/y'] } }, context);
    const { value } = registry.delete('n', 'a', {}, context);
    const { revision } = store;
    assert.equal(registry.delete('n', 'a', {}, context).value, value);
    assert.equal(store.revision, revision);
  });

  it('shows watchers a last version for kinds with a grace period', () => {
    const ground = setUp({ gracePeriodSeconds: (_object, wanted) => wanted ?? 30 });
    const { registry, context, store } = ground;
    registry.create(thing('a'), context);
    const before = store.revision;
    const { kind } = registry.delete('n', 'a', { gracePeriodSeconds: 0 }, context);
    assert.equal(kind, 'removed');
    const types = store.history('/example.com/things/', before).map(({ type }) => type);
    assert.deepEqual(types, ['put', 'delete']);
  });

  it('waits for kinds that are emptied first', () => {
    let step: 'go' | 'mark' | 'wait' = 'mark';
    const ground = setUp({
      admitDeletion: (name) => {
        if (name === 'protected') throw new Error('not this one');
      },
      emptyFirst: (object) => {
        if (step === 'mark') (object as ApiObject)['phase'] = 'leaving';
        return step;
      },
    });
    const { registry, context, store } = ground;
    registry.create(thing('a'), context);
    assert.throws(() => registry.delete('n', 'protected', {}, context), /not this one/);
    const refused = statusOf(() =>
      registry.delete('n', 'a', { preconditions: { uid: 'another' } }, context),
    );
    assert.match(refused.message ?? '', /Precondition failed: UID in precondition: another/);
    const marked = registry.delete('n', 'a', {}, context);
    assert.equal(marked.kind, 'kept');
    assert.equal((marked.value as ApiObject)['phase'], 'leaving');
    step = 'wait';
    const { revision } = store;
    assert.equal(registry.delete('n', 'a', {}, context).value, marked.value);
    assert.equal(store.revision, revision);
    step = 'go';
    assert.equal(registry.delete('n', 'a', {}, context).kind, 'removed');
  });
});

describe('Registry.overwrite', () => {
  it('changes an object without its strategy, and writes nothing if it is equal', () => {
    const ground = setUp({ validateUpdate: () => assert.fail('asked') });
    const { registry, context, dry, store } = ground;
    registry.create(thing('a'), context);
    const { revision } = store;
    registry.overwrite('n', 'a', context, (object) => object);
    registry.overwrite('n', 'a', dry, (object) => ({ ...object, x: 1 }));
    assert.equal(store.revision, revision);
    registry.overwrite('n', 'a', context, (object) => ({ ...object, x: 1 }));
    assert.equal(store.revision, revision + 1);
    assert.equal((registry.get('n', 'a').value as ApiObject)['x'], 1);
  });
});

describe('generateName', () => {
  it('appends five characters without vowels and look-alikes', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ maxLength: 80 }), (seed, prefix) => {
        const name = generateName(prefix, seededRandom(seed));
        assert.match(name.slice(-5), /^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        assert.equal(name.slice(0, -5), prefix.slice(0, 58));
      }),
    );
  });

  it('uses the whole alphabet', () => {
    const random = seededRandom(1);
    const seen = new Set<string>();
    for (let count = 0; count < 200; count += 1) {
      for (const character of generateName('', random)) seen.add(character);
    }
    assert.equal(seen.size, 27);
  });
});
