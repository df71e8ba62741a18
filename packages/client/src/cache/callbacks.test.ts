import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordingLogger } from '../lib/test-logger.ts';
import { Controller } from './controller.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { RealFIFO } from './real-fifo.ts';
import { Reflector } from './reflector.ts';
import { TestInformer } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { TestSource } from './test-source.ts';

const fail = (): never => {
  throw new Error('thrown by a callback');
};
const keyFunc = metaNamespaceKeyFunc;

function warnings(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.startsWith('warn the callback'))
    .map((line) => line.split('\n')[0] ?? '');
}

describe('a callback that throws', () => {
  it('does not end a handler: onHandlerError', async () => {
    const logger = recordingLogger();
    const world = new TestInformer({ logger, onHandlerError: fail });
    const calls: string[] = [];
    world.informer.addEventHandler({
      onAdd: ({ metadata }) => {
        calls.push(metadata?.name ?? '');
        throw new Error('no');
      },
    });
    world.source.write('a');
    world.source.write('b');
    await world.start();
    assert.deepEqual(calls, ['a', 'b']);
    assert.deepEqual(
      warnings(logger.lines),
      Array<string>(2).fill(
        'warn the callback onHandlerError of test failed: thrown by a callback',
      ),
    );
    await world.stop();
  });

  it('does not stop deliveries to others: onHandlerError, on an overflow', async () => {
    const logger = recordingLogger();
    const world = new TestInformer({ logger, onHandlerError: fail });
    const never = { onAdd: () => new Promise<void>(() => undefined) };
    world.informer.addEventHandler(never, { maxPending: 1, overflow: 'remove' });
    const other = world.record();
    await world.start();
    world.source.write('a');
    world.source.write('b');
    await world.settle();
    assert.deepEqual(other.take(), ['+a@2', '+b@3']);
    assert.equal(warnings(logger.lines).length, 1);
    await world.stop();
  });

  it('does not end an informer: onWatchError and onError', async () => {
    const logger = recordingLogger();
    const world = new TestInformer({ logger, onWatchError: fail, onError: fail });
    world.informer.addIndexers({ broken: fail });
    world.source.watchFailures.push(new Error('no stream'));
    world.source.listFailures.push(new Error('no list'));
    await world.start();
    await world.clock.advance(60_000);
    world.source.write('a');
    world.source.send({ type: 'ADDED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1' } });
    await world.settle();
    world.assertEqual();
    assert.equal(world.informer.state.state, 'live');
    const found = new Set(warnings(logger.lines).map((line) => line.split(' failed:')[0]));
    assert.ok(found.has('warn the callback onError of test'));
    assert.ok(found.has('warn the callback onWatchError of a reflector'));
    await world.stop();
  });

  it('does not end a reflector or a controller: onStateChange, onProcessed, onProcessError', async () => {
    const logger = recordingLogger();
    const stop = new AbortController();
    const listerWatcher = new TestSource();
    listerWatcher.write('a');
    const store = new Indexer<TestObject>({ keyFunc });
    const reflector = new Reflector({ listerWatcher, store, logger, onStateChange: fail });
    const queue = new RealFIFO<TestObject>({ keyFunc });
    let processed = 0;
    const controller = new Controller<TestObject>({
      queue,
      reflector: { listerWatcher, logger },
      process: () => {
        processed += 1;
        throw new Error('no');
      },
      onProcessed: fail,
      onProcessError: fail,
    });
    const world = new TestInformer();
    const running = [
      reflector.run({ signal: stop.signal }),
      controller.run({ signal: stop.signal }),
    ];
    await world.settle();
    listerWatcher.write('b');
    await world.settle();
    assert.equal(store.size, 2);
    assert.equal(processed, 2);
    assert.ok(warnings(logger.lines).length >= 4);
    stop.abort();
    await Promise.all(running);
  });

  it('does not keep an object out of a store: onIndexError', () => {
    const store = new Indexer({ keyFunc, indexers: { broken: fail }, onIndexError: fail });
    store.add(testObject('a'));
    assert.ok(store.has('a'));
  });
});
