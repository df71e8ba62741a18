import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldWrite, type Loop, LoopDetector } from './loop-detector.ts';

const limits = { maxRewrites: 100, maxReturns: 10, windowMs: 300_000 };
const object = 'widgets.example.com default/a';

const write = (path: string, before: string | undefined, after: string): FieldWrite => ({
  object,
  path,
  before,
  after,
  writer: 'operator',
  other: 'hpa',
});

/** Observes reconciles, one per second, and returns the first loop with its number. */
function run(
  count: number,
  writesOf: (index: number) => readonly FieldWrite[],
  {
    isCausedOutside = (_index: number): boolean => false,
    stepMs = 1000,
    detector = new LoopDetector(limits),
  } = {},
): { readonly index: number; readonly loop: Loop } | undefined {
  for (let index = 0; index < count; index += 1) {
    const loop = detector.observe({
      at: index * stepMs,
      isCausedOutside: isCausedOutside(index),
      writes: writesOf(index),
    });
    if (loop !== undefined) return { index, loop };
  }
  return undefined;
}

describe('a LoopDetector', () => {
  it('finds reconciles that set a field to new values again and again', () => {
    const found = run(1000, (index) => [write('status.count', `${index}`, `${index + 1}`)]);
    assert.deepEqual(found?.loop, {
      kind: 'hot-loop',
      count: 100,
      fields: [{ object, path: 'status.count', values: ['100', '101'], writers: ['operator'] }],
    });
  });

  it('finds values that return sooner', () => {
    const value = (index: number): string => `"${index % 2 === 0 ? 'a' : 'b'}"`;
    const found = run(1000, (index) => [write('spec.mode', value(index + 1), value(index))]);
    assert.equal(found?.loop.kind, 'hot-loop');
    assert.equal(found.index, 11);
  });

  it('takes a time beside them for no new value', () => {
    const time = (second: number): string => JSON.stringify(new Date(second * 1000).toISOString());
    const found = run(1000, (index) => [
      write('status.ready', `${index % 2}`, `${(index + 1) % 2}`),
      write('status.at', time(index), time(index + 1)),
    ]);
    assert.equal(found?.index, 11);
  });

  it('finds a time that is written alone only by its number', () => {
    const time = (second: number): string => JSON.stringify(new Date(second * 1000).toISOString());
    const found = run(1000, (index) => [write('status.at', time(index), time(index + 1))]);
    assert.equal(found?.index, 100);
  });

  it('finds nothing in reconciles that others cause', () => {
    const writes = (index: number) => [write('status.count', `${index}`, `${index + 1}`)];
    assert.equal(run(1000, writes, { isCausedOutside: () => true }), undefined);
    assert.equal(run(1000, writes, { isCausedOutside: (index) => index % 50 === 0 }), undefined);
  });

  it('finds nothing while there is progress: fields or objects that were not written before', () => {
    const found = run(1000, (index) => [
      write('status.created', `${index}`, `${index + 1}`),
      { ...write('', 'absent', 'created'), object: `pods default/p${index}` },
    ]);
    assert.equal(found, undefined);
  });

  it('finds nothing in slow writes', () => {
    const found = run(1000, (index) => [write('status.count', `${index}`, `${index + 1}`)], {
      stepMs: 3100,
    });
    assert.equal(found, undefined);
  });

  it('begins again after a reconcile without writes', () => {
    const found = run(1000, (index) =>
      index % 90 === 89 ? [] : [write('status.count', `${index}`, `${index + 1}`)],
    );
    assert.equal(found, undefined);
  });

  it('finds another writer who replaces a value that is written back', () => {
    const found = run(100, () => [write('spec.replicas', '5', '3')], {
      isCausedOutside: () => true,
      stepMs: 15_000,
    });
    assert.equal(found?.index, 10);
    assert.deepEqual(found.loop, {
      kind: 'writer-fight',
      count: 10,
      fields: [{ object, path: 'spec.replicas', values: ['3', '5'], writers: ['operator', 'hpa'] }],
    });
  });

  it('finds a fight in which only the other repeats itself', () => {
    const found = run(
      100,
      (index) => [write('metadata.annotations[at]', undefined, `"${index}"`)],
      {
        isCausedOutside: () => true,
      },
    );
    assert.equal(found?.loop.kind, 'writer-fight');
    assert.deepEqual(found.loop.fields[0]?.values, ['"11"', undefined]);
  });

  it('takes different changes of another writer for no fight', () => {
    const found = run(
      1000,
      (index) => [write('spec.replicas', `${index * 7}`, `${index * 7 + 1}`)],
      {
        isCausedOutside: () => true,
      },
    );
    assert.equal(found, undefined);
  });

  it('forgets changes of another writer that are far apart', () => {
    const found = run(100, () => [write('spec.replicas', '5', '3')], {
      isCausedOutside: () => true,
      stepMs: 301_000,
    });
    assert.equal(found, undefined);
  });

  it('takes objects that others delete for no fight', () => {
    const created = { ...write('', 'absent', 'created'), isContestable: false };
    assert.equal(
      run(1000, () => [created], { isCausedOutside: () => true }),
      undefined,
    );
  });

  it('reports each further reconcile of a loop, however slow, until it is calm', () => {
    const detector = new LoopDetector(limits);
    const next = (at: number) =>
      detector.observe({ at, isCausedOutside: false, writes: [write('a', `${at}`, `${at + 1}`)] });
    for (let at = 0; at < 100; at += 1) next(at);
    assert.equal(next(100)?.count, 100);
    assert.equal(next(900_000)?.count, 101);
    assert.equal(detector.isLooping, true);
    assert.equal(detector.observe({ at: 900_001, isCausedOutside: false, writes: [] }), undefined);
    assert.equal(detector.isLooping, false);
    assert.equal(next(900_002), undefined);
  });
});
