import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pictureOf } from './picture.ts';
import { layOut, type PlacedNode } from './picture-layout.ts';
import { ratesOf } from './rates.ts';
import type { SessionLog } from './session-log.ts';
import { QUEUE_STATE, reconcileOf, sessionOf, START } from './test-session.ts';

function draw(log: SessionLog, at = START + 10_000): ReturnType<typeof pictureOf> {
  return pictureOf(log.machineAt(log.end), ratesOf(log, log.end, at, 10_000));
}

test('draws the way of a change from the server and back', () => {
  const log = sessionOf(reconcileOf(1, 5000));
  const { nodes, edges } = draw(log);
  const handler = 'handler pods controller site on pods';
  assert.deepEqual(
    edges.map(({ from, to }) => [from, to]),
    [
      ['server 127.0.0.1:6443', 'informer pods'],
      ['informer pods', 'cache pods'],
      ['cache pods', handler],
      ['queue site', 'worker site'],
      [handler, 'queue site'],
      ['write sites.example.com', 'server 127.0.0.1:6443'],
      ['worker site', 'write sites.example.com'],
    ],
  );
  const ids = new Set(nodes.map(({ id }) => id));
  assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
  assert.equal(edges.find(({ from }) => from === handler)?.rate, 0.1);
});

test('draws the informers of a controller before the first change', () => {
  const { edges } = draw(sessionOf([]));
  assert.ok(edges.some(({ from, to }) => from.endsWith('site on pods') && to === 'queue site'));
});

test('marks where keys wait', () => {
  const state = { ...QUEUE_STATE, depth: 400, busy: 2, oldestMs: 20_000 };
  const { nodes, edges } = draw(sessionOf([state]));
  const queue = nodes.find(({ id }) => id === 'queue site');
  assert.equal(queue?.level, 'bad');
  assert.ok(queue.backlog > 0.9);
  assert.equal(edges.find(({ from }) => from === 'queue site')?.level, 'bad');
});

test('leaves out informers that have stopped, unless all have', () => {
  const stopped = {
    type: 'informer.state',
    state: 'stopped',
    objects: 0,
    resourceVersion: '1',
  } as const;
  const old = { ...stopped, informer: 'old pods' };
  const titles = (log: SessionLog): string[] =>
    draw(log).nodes.flatMap(({ stage, title }) => (stage === 'informer' ? [title] : []));
  assert.deepEqual(titles(sessionOf([old])), ['pods']);
  const all = sessionOf([old, { ...stopped, informer: 'pods' }]);
  assert.deepEqual(titles(all), ['pods', 'old pods']);
});

test('draws the busiest of many informers and counts the rest', () => {
  const state = {
    type: 'informer.state',
    state: 'live',
    objects: 1,
    resourceVersion: '1',
  } as const;
  const log = sessionOf(
    Array.from({ length: 40 }, (_, index) => ({ ...state, informer: `kind-${index}` })),
  );
  const informers = draw(log).nodes.filter(({ stage }) => stage === 'informer');
  assert.equal(informers.length, 12);
  assert.equal(informers.at(-1)?.title, '30 more informers');
});

test('edges along one line have one label, with the sum of their rates', () => {
  const node = (id: string, stage: 'server' | 'write') => ({
    id,
    stage,
    title: id,
    value: '',
    note: '',
    level: 'ok' as const,
    backlog: 0,
  });
  const { rates } = layOut(
    {
      nodes: [node('s', 'server'), node('a', 'write'), node('b', 'write')],
      edges: ['a', 'b'].map((from) => ({ from, to: 's', rate: 2, level: 'ok' as const })),
    },
    1100,
  );
  assert.deepEqual(
    rates.map(({ rate }) => rate),
    [4],
  );
});

for (const width of [343, 700, 1100, 1800]) {
  test(`places everything inside ${width} pixels, and nothing on top of another`, () => {
    const state = {
      type: 'informer.state',
      state: 'live',
      objects: 1,
      resourceVersion: '1',
    } as const;
    const log = sessionOf([
      ...Array.from({ length: 7 }, (_, index) => ({ ...state, informer: `kind-${index}` })),
      ...reconcileOf(1, 9000),
    ]);
    const layout = layOut(draw(log), width);
    assert.equal(layout.isVertical, width < 860);
    for (const node of layout.nodes) {
      assert.ok(node.x >= 0 && node.x + node.width <= width, `${node.node.id} is outside`);
      assert.ok(node.y >= 0 && node.y + node.height <= layout.height, `${node.node.id} is below`);
      for (const other of layout.nodes) {
        assert.ok(other === node || !overlap(node, other), `${node.node.id}, ${other.node.id}`);
      }
    }
  });
}

function overlap(left: PlacedNode, right: PlacedNode): boolean {
  return (
    left.x < right.x + right.width &&
    right.x < left.x + left.width &&
    left.y < right.y + right.height &&
    right.y < left.y + left.height
  );
}
