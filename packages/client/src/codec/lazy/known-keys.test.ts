import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../lib/random.ts';
import { identityOf, nameOf, namespaceOf } from '../../meta/object.ts';
import { encodeProtobuf } from '../protobuf.ts';
import { NumberTable } from './number-table.ts';
import { KnownKeys } from './known-keys.ts';
import { lazyFromJson, lazyFromProtobuf } from './test-read-only.ts';

function ranges(namespace: string, name: string): Parameters<KnownKeys['find']>[0] {
  const bytes = Buffer.from(`"${namespace}${name}"`);
  const nameStart = 1 + Buffer.byteLength(namespace);
  const nameEnd = bytes.length - 1;
  return { bytes, namespaceStart: 1, namespaceEnd: nameStart, nameStart, nameEnd };
}

describe('the keys of a stream', () => {
  it('are namespace/name, or the name alone', () => {
    const keys = new KnownKeys();
    for (const _ of ['unknown', 'known']) {
      assert.equal(keys.find(ranges('ns', 'web')), 'ns/web');
      assert.equal(keys.find(ranges('', 'web')), 'web');
      assert.equal(keys.find(ranges('n', 'sweb')), 'n/sweb');
      assert.equal(keys.find(ranges('ünder', 'näme')), 'ünder/näme');
      assert.equal(keys.find(ranges('', '')), '');
    }
  });

  it('are found for any number of objects', () => {
    const keys = new KnownKeys();
    for (const _ of ['unknown', 'some of them known']) {
      for (let index = 0; index < 5000; index += 1) {
        const [namespace, name] = [`ns-${index % 7}`, `pod-${index}`];
        assert.equal(keys.find(ranges(namespace, name)), `${namespace}/${name}`);
      }
    }
  });

  it('are the same strings again, until their objects are deleted', (context) => {
    const keys = new KnownKeys();
    const name = (index: number): string => `pod-${index}`;
    // Equal strings look the same: whether it is the same one shows in what is decoded for it.
    const { mock: decode } = context.mock.method(Buffer.prototype, 'toString');
    const has = (key: string): boolean => {
      const before = decode.callCount();
      keys.find(ranges('ns', key));
      const isKnown = decode.callCount() === before;
      decode.resetCalls();
      return isKnown;
    };
    for (let index = 0; index < 1000; index += 1) keys.find(ranges('ns', name(index)));
    assert.ok(has(name(0)) && has(name(999)));
    keys.forget('ns/pod-0');
    keys.forget('ns/never-seen');
    keys.forget('');
    assert.ok(!has(name(0)), 'made again');
    assert.ok(has(name(0)), 'and known again');
    for (let index = 0; index < 20_000; index += 1) {
      keys.find(ranges('ns', `job-${index}`));
      keys.forget(`ns/job-${index}`);
      decode.resetCalls();
    }
    assert.ok(has(name(0)) && has(name(999)), 'still known after many others');
    assert.ok(!has('job-5'));
  });

  it('move to a larger table in steps of 16 slots', (context) => {
    const keys = new KnownKeys();
    const { prototype } = NumberTable;
    const { mock: move } = context.mock.method(prototype, 'move');
    const { mock: add } = context.mock.method(prototype, 'add');
    let mostMoved = 0;
    const expectFewSteps = (): void => {
      const moved = move.calls.reduce((sum, call) => {
        const [, start, end] = call.arguments;
        return sum + end - start;
      }, 0);
      assert.ok(moved <= 16 && add.callCount() <= 17);
      mostMoved = Math.max(mostMoved, moved);
      move.resetCalls();
      add.resetCalls();
    };
    for (let index = 0; index < 20_000; index += 1) {
      keys.find(ranges('ns', `pod-${index}`));
      expectFewSteps();
    }
    for (let index = 10; index < 20_000; index += 1) {
      keys.forget(`ns/pod-${index}`);
      expectFewSteps();
    }
    // With few keys in a large table.
    for (let index = 0; index < 60_000; index += 1) {
      keys.find(ranges('ns', `job-${index}`));
      expectFewSteps();
      keys.forget(`ns/job-${index}`);
      expectFewSteps();
    }
    assert.equal(mostMoved, 16);
    for (let index = 0; index < 10; index += 1) keys.find(ranges('ns', `pod-${index}`));
    assert.equal(keys.size, 10, 'they were known');
  });

  it('are found and forgotten while they are moved', () => {
    const keys = new KnownKeys();
    const present = new Set<number>();
    const random = seededRandom(7);
    const next = (limit: number): number => Math.floor(random.next() * limit);
    // It grows, then almost all of it is forgotten, several times.
    for (let step = 0; step < 60_000; step += 1) {
      const isGrowing = step % 20_000 < 12_000;
      const index = next(6000);
      if (next(10) < (isGrowing ? 7 : 1)) {
        assert.equal(keys.find(ranges('ns', `pod-${index}`)), `ns/pod-${index}`);
        present.add(index);
      } else {
        keys.forget(`ns/pod-${index}`);
        present.delete(index);
      }
      assert.equal(keys.size, present.size);
    }
  });

  it('are undefined if namespace and name do not follow from them', () => {
    const keys = new KnownKeys();
    assert.equal(keys.find(ranges('a', 'b')), 'a/b');
    assert.equal(keys.find(ranges('', 'a/b')), undefined);
    assert.equal(keys.find(ranges('a/b', 'c')), undefined);
    assert.equal(keys.find(ranges('a', '')), undefined);
  });
});

describe('an object whose name does not follow from its key', () => {
  for (const metadata of [{ name: 'a/b' }, { namespace: 'a' }, { namespace: 'a/b', name: 'c' }]) {
    it(`has the metadata ${JSON.stringify(metadata)} nevertheless`, () => {
      const pod = {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { creationTimestamp: null, ...metadata },
      };
      for (const lazy of [lazyFromJson(pod), lazyFromProtobuf(encodeProtobuf(pod))]) {
        assert.equal(identityOf(lazy), undefined);
        assert.equal(nameOf(lazy), metadata.name ?? '');
        assert.equal(namespaceOf(lazy), metadata.namespace ?? '');
      }
    });
  }

  it('is decoded if its name in JSON has an escape', () => {
    const lazy = lazyFromJson({ metadata: { name: 'tab\t' } });
    assert.equal(identityOf(lazy), undefined);
    assert.equal(nameOf(lazy), 'tab\t');
  });
});
