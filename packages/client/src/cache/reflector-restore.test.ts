import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failures } from './test-failures.ts';
import { TestReflector } from './test-reflector.ts';

describe('a reflector whose server was restored from a backup', () => {
  it('lists again if the server does not have the version that a silent watch resumed from', async () => {
    const { clock, source, run, assertEqual, store } = new TestReflector({ useWatchList: false });
    source.write('a');
    const { end } = await run();
    source.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '77' } } });
    await clock.advance(5000);
    source.endWatches();
    await clock.advance(119_999);
    assert.deepEqual(source.requests.slice(2), ['watch rv=77']);
    source.listFailures.push(failures.tooLarge);
    await clock.advance(1);
    assert.deepEqual(source.requests.slice(3), ['list rv=77 limit=1']);
    await clock.advance(1000);
    assert.deepEqual(source.requests.slice(4), ['list rv= limit=500', 'watch rv=2']);
    assertEqual();
    assert.equal(store.resourceVersion, '2');
    await end();
    assert.equal(clock.pending, 0);
  });

  it('checks once that the server has the version of a silent watch, and keeps watching', async () => {
    for (const failure of [undefined, failures.internal, failures.expired]) {
      const { clock, source, run, assertEqual } = new TestReflector({ useWatchList: false });
      const { end } = await run();
      await clock.advance(5000);
      source.endWatches();
      await clock.advance(60_000);
      if (failure !== undefined) source.listFailures.push(failure);
      await clock.advance(600_000);
      assert.deepEqual(source.requests.slice(2), ['watch rv=1', 'list rv=1 limit=1']);
      source.write('a');
      await clock.advance(0);
      assertEqual();
      await end();
    }
  });

  it('does not check the version of a watch that has moved on', async () => {
    const { clock, source, run } = new TestReflector({ useWatchList: false });
    const { end } = await run();
    await clock.advance(5000);
    source.endWatches();
    await clock.advance(119_000);
    source.write('a');
    await clock.advance(600_000);
    assert.deepEqual(source.requests.slice(2), ['watch rv=1']);
    await end();
  });
});
