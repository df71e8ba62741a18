import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecentMap } from './recent-map.ts';

it('drops what was not used for longest, and lists the most recent first', () => {
  const map = new RecentMap<{ readonly name: string }>();
  const use = (scope: string, key: string): unknown =>
    map.use(scope, key, () => ({ name: `${scope}/${key}` }));
  for (const key of ['a', 'b', 'c']) use('x', key);
  use('y', 'a');
  assert.equal(use('x', 'a'), map.get('x', 'a'));
  assert.deepEqual(
    map.valuesOf('x').map(({ name }) => name),
    ['x/a', 'x/c', 'x/b'],
  );
  const dropped: string[] = [];
  map.dropOldest(({ name }) => dropped.push(name) <= 3);
  assert.deepEqual(dropped, ['x/b', 'x/c', 'y/a', 'x/a']);
  assert.equal(map.size, 1);
  assert.equal(map.get('y', 'a'), undefined);
  assert.deepEqual(map.valuesOf('y'), []);
});
