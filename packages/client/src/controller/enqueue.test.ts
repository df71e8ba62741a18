import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestInformer } from '../cache/test-informer.ts';
import { DeletedFinalStateUnknown } from '../cache/store.ts';
import type { DeepReadonly, KubernetesObject, OwnerReference } from '../meta/types.ts';
import { LOW_PRIORITY, PriorityQueue } from '../workqueue/priority-queue.ts';
import { WorkQueue } from '../workqueue/work-queue.ts';
import type { ControllerError } from './controller-error.ts';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type EnqueueOwnerOptions,
  type OwnerType,
} from './enqueue.ts';
import { resourceVersionChanged } from './predicates.ts';

type AnyObject = DeepReadonly<KubernetesObject>;

/** Records every add, in order and with duplicates. */
class Keys {
  #keys: string[] = [];

  add(key: string): void {
    this.#keys.push(key);
  }

  take(): string[] {
    return this.#keys.splice(0);
  }
}

function named(key: string, metadata: KubernetesObject['metadata'] = {}): AnyObject {
  const [first = '', second] = key.split('/');
  const name = second === undefined ? { name: first } : { namespace: first, name: second };
  return { metadata: { ...name, ...metadata } };
}

describe('enqueueRequestForObject', () => {
  it('enqueues added, updated and deleted objects, and deletions missed by the watch', async () => {
    const test = new TestInformer();
    const keys = new Keys();
    test.source.write('ns/first');
    test.informer.addEventHandler(enqueueRequestForObject(keys));
    await test.start();
    assert.deepEqual(keys.take(), ['ns/first']);
    test.source.write('ns/a');
    test.source.write('ns/a');
    test.source.remove('ns/a');
    test.source.write('cluster-wide');
    await test.settle();
    assert.deepEqual(keys.take(), ['ns/a', 'ns/a', 'ns/a', 'cluster-wide']);
    await test.missing(() => test.source.remove('ns/first'));
    assert.deepEqual(keys.take(), ['ns/first']);
    assert.deepEqual(test.errors, []);
    await test.stop();
  });

  it('enqueues the key of a deletion without a known state', () => {
    const keys = new Keys();
    enqueueRequestForObject(keys).onDelete(
      new DeletedFinalStateUnknown<AnyObject>('ns/gone', undefined),
    );
    assert.deepEqual(keys.take(), ['ns/gone']);
  });

  it('fills a work queue, which collapses adds of one key', async () => {
    const test = new TestInformer();
    const queue = new WorkQueue<string>();
    test.informer.addEventHandler(enqueueRequestForObject(queue));
    await test.start();
    for (let write = 0; write < 3; write += 1) test.source.write('ns/a');
    await test.settle();
    assert.equal(queue.len, 1);
    await test.stop();
  });
});

describe('enqueueRequestsFromMapFunc', () => {
  const labelled = (key: string, ...users: string[]): AnyObject =>
    named(key, { labels: { users: users.join(' ') } });
  const usersOf = ({ metadata }: AnyObject): string[] =>
    (metadata?.labels?.['users'] ?? '').split(' ').filter((user) => user !== '');

  it('maps the old and the new object, once if they are the same', () => {
    const keys = new Keys();
    const { onAdd, onUpdate } = enqueueRequestsFromMapFunc(keys, usersOf);
    onAdd(labelled('ns/a', 'one', 'two'));
    assert.deepEqual(keys.take(), ['one', 'two']);
    onUpdate(labelled('ns/a', 'one', 'two'), labelled('ns/a', 'three'));
    assert.deepEqual(keys.take().toSorted(), ['one', 'three', 'two']);
    const same = labelled('ns/a', 'four');
    onUpdate(same, same);
    assert.deepEqual(keys.take(), ['four']);
  });

  it('maps the last known state of a deleted object', () => {
    const keys = new Keys();
    const { onDelete } = enqueueRequestsFromMapFunc(keys, usersOf);
    onDelete(labelled('ns/a', 'one'));
    onDelete(new DeletedFinalStateUnknown('ns/a', labelled('ns/a', 'two')));
    onDelete(new DeletedFinalStateUnknown<AnyObject>('ns/a', undefined));
    assert.deepEqual(keys.take(), ['one', 'two']);
  });

  it('accepts keys of any type', () => {
    const requests: { readonly name: string }[] = [];
    const queue = { add: (request: { readonly name: string }) => void requests.push(request) };
    enqueueRequestsFromMapFunc(queue, (object: AnyObject) => [
      { name: object.metadata?.name ?? '' },
    ]).onAdd(named('ns/a'));
    assert.deepEqual(requests, [{ name: 'a' }]);
  });

  it('enqueues for the new object even if mapFunc throws for the old one', () => {
    const keys = new Keys();
    const { onUpdate } = enqueueRequestsFromMapFunc(keys, (object: AnyObject) => {
      if (usersOf(object).length === 0) throw new Error('no users');
      return usersOf(object);
    });
    assert.throws(() => onUpdate(named('ns/a'), labelled('ns/a', 'one')), /no users/);
    assert.deepEqual(keys.take(), ['one']);
  });
});

describe('enqueueRequestForOwner', () => {
  const webSet: OwnerType = { group: 'apps.example.com', kind: 'WebSet', scope: 'Namespaced' };
  const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
    apiVersion: 'apps.example.com/v1',
    kind: 'WebSet',
    name,
    uid: `uid-of-${name}`,
    controller: true,
    ...more,
  });
  const owned = (key: string, ...ownerReferences: OwnerReference[]): AnyObject =>
    named(key, { ownerReferences });
  const keysOf = (
    object: AnyObject,
    kind: OwnerType = webSet,
    options?: EnqueueOwnerOptions,
  ): string[] => {
    const keys = new Keys();
    enqueueRequestForOwner<AnyObject>(keys, kind, options).onAdd(object);
    return keys.take();
  };

  it('enqueues the owner in the namespace of the object', () => {
    assert.deepEqual(keysOf(owned('ns/pod', owner('web'))), ['ns/web']);
    assert.deepEqual(keysOf(named('ns/pod')), []);
    assert.deepEqual(keysOf({}), []);
  });

  it('compares group and kind, not the version', () => {
    const references = [
      owner('newer', { apiVersion: 'apps.example.com/v2' }),
      owner('other-group', { apiVersion: 'apps/v1' }),
      owner('other-kind', { kind: 'Set' }),
      owner('no-group', { apiVersion: 'v1' }),
    ];
    assert.deepEqual(keysOf(owned('ns/pod', ...references)), ['ns/newer']);
    const core: OwnerType = { group: '', kind: 'WebSet', scope: 'Namespaced' };
    assert.deepEqual(keysOf(owned('ns/pod', ...references), core), ['ns/no-group']);
  });

  it('enqueues every owner of the type, or only the controller', () => {
    const object = owned(
      'ns/pod',
      owner('one', { controller: false }),
      { ...owner('two'), controller: false },
      owner('web'),
    );
    assert.deepEqual(keysOf(object), ['ns/one', 'ns/two', 'ns/web']);
    assert.deepEqual(keysOf(object, webSet, { onlyControllerOwner: true }), ['ns/web']);
  });

  it('enqueues a cluster-scoped owner without a namespace', () => {
    const kind: OwnerType = { ...webSet, scope: 'Cluster' };
    assert.deepEqual(keysOf(owned('ns/pod', owner('web')), kind), ['web']);
    assert.deepEqual(keysOf(owned('volume', owner('web')), kind), ['web']);
    assert.deepEqual(keysOf(owned('volume', owner('web'))), [], 'a namespaced owner is impossible');
  });

  it('enqueues both owners when the owner changes, and the last owner of a deleted object', () => {
    const keys = new Keys();
    const { onUpdate, onDelete } = enqueueRequestForOwner<AnyObject>(keys, webSet);
    onUpdate(owned('ns/pod', owner('old')), owned('ns/pod', owner('new')));
    assert.deepEqual(keys.take().toSorted(), ['ns/new', 'ns/old']);
    onUpdate(owned('ns/pod', owner('old')), named('ns/pod'));
    assert.deepEqual(keys.take(), ['ns/old'], 'released');
    onDelete(owned('ns/pod', owner('web')));
    onDelete(new DeletedFinalStateUnknown('ns/pod', owned('ns/pod', owner('missed'))));
    assert.deepEqual(keys.take(), ['ns/web', 'ns/missed']);
  });
});

describe('the options of a handler', () => {
  const version = (resourceVersion: string): AnyObject => named('ns/a', { resourceVersion });

  it('enqueue only changes that all predicates pass', () => {
    const keys = new Keys();
    const handler = enqueueRequestForObject<AnyObject>(keys, {
      predicates: [resourceVersionChanged, ({ type }) => type !== 'delete'],
    });
    handler.onUpdate(version('1'), version('1'));
    handler.onDelete(version('1'));
    assert.deepEqual(keys.take(), []);
    handler.onUpdate(version('1'), version('2'));
    assert.deepEqual(keys.take(), ['ns/a']);
  });

  it('give the initial list and resyncs a low priority', async () => {
    const queue = new PriorityQueue<string>();
    const handler = enqueueRequestForObject<AnyObject>(queue);
    handler.onAdd(named('ns/listed'), true);
    handler.onUpdate(version('1'), version('1'));
    handler.onAdd(named('ns/created'), false);
    assert.equal(queue.priorityOf('ns/listed'), LOW_PRIORITY);
    assert.equal(queue.priorityOf('ns/a'), LOW_PRIORITY);
    assert.equal(queue.priorityOf('ns/created'), 0);
    handler.onDelete(version('1'));
    assert.equal(queue.priorityOf('ns/a'), 0);
    const urgent = enqueueRequestForOwner<AnyObject>(
      queue,
      { group: 'apps', kind: 'Deployment', scope: 'Namespaced' },
      { priority: () => 5 },
    );
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'b', uid: 'u' }];
    urgent.onAdd(named('ns/x', { ownerReferences }), true);
    assert.equal(queue.priorityOf('ns/b'), 5);
    queue.shutDown();
  });

  it('report a predicate that throws; the change is ignored and the next is not', () => {
    const keys = new Keys();
    const errors: ControllerError[] = [];
    const handler = enqueueRequestForObject<AnyObject>(keys, {
      predicates: [
        ({ object }) => {
          if (object.metadata?.name === 'bad') throw new TypeError('no spec');
          return true;
        },
      ],
      onError: (error) => errors.push(error),
    });
    handler.onAdd(named('ns/bad'));
    handler.onAdd(named('ns/good'));
    assert.deepEqual(keys.take(), ['ns/good']);
    assert.equal(errors[0]?.code, 'CONTROLLER_PREDICATE_FAILED');
    assert.equal(errors[0]?.message, 'predicate failed for the add of "ns/bad": no spec');
  });

  it('map the other object of an update when the mapping of one throws', () => {
    for (const bad of ['old', 'new']) {
      const keys = new Keys();
      const errors: ControllerError[] = [];
      const handler = enqueueRequestsFromMapFunc<AnyObject, string>(
        keys,
        ({ metadata }) => {
          if (metadata?.uid === bad) throw new TypeError('no reference');
          return [`ns/${metadata?.uid}`];
        },
        { onError: (error) => errors.push(error) },
      );
      handler.onUpdate(named('ns/a', { uid: 'old' }), named('ns/a', { uid: 'new' }));
      assert.deepEqual(keys.take(), [bad === 'old' ? 'ns/new' : 'ns/old']);
      assert.deepEqual(
        errors.map(({ code }) => code),
        ['CONTROLLER_MAPPING_FAILED'],
      );
    }
  });

  it('throw the error of a callback without onError, so that the informer reports it', async () => {
    const test = new TestInformer();
    test.source.write('ns/first');
    const handler = enqueueRequestsFromMapFunc(new Keys(), () => {
      throw new TypeError('no reference');
    });
    test.informer.addEventHandler(handler);
    await test.start();
    assert.equal(test.errors.length, 1);
    await test.stop();
  });
});
