import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { OtherKeys } from './other-keys.ts';

it('keys of other replicas are kept for one to two periods, and taken once', async () => {
  const clock = new VirtualClock();
  const keys = new OtherKeys(clock, 1000);
  keys.add('ns/a');
  keys.add('ns/b');
  await clock.advance(900);
  keys.add('ns/c');
  await clock.advance(200);
  keys.add('ns/d');
  assert.deepEqual(
    keys.take((key) => key !== 'ns/b'),
    ['ns/a', 'ns/c', 'ns/d'],
  );
  assert.deepEqual(
    keys.take(() => true),
    ['ns/b'],
  );
  keys.add('ns/e');
  await clock.advance(2000);
  assert.deepEqual(
    keys.take(() => true),
    [],
  );
});
