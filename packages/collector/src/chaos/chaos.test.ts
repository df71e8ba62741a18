import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folder, hasSqlite } from '../test-events.ts';
import { audit } from './audit.ts';
import { collectorChaos } from './chaos.ts';
import { describeReport, isClean } from './report.ts';

describe('audit', () => {
  const log = new Map([
    ['a', { count: 1, atMs: 1000 }],
    ['b', { count: 2, atMs: 2000 }],
    ['c', { count: 1, atMs: 3000 }],
  ]);
  const damaged = new Set<string>();
  const at = (ms: number): string => new Date(ms).toISOString();

  it('accepts current events, and missing ones in a gap', () => {
    const events = new Map([
      ['a', { count: 1 }],
      ['b', { count: 1 }],
    ]);
    const gap = { from: at(1500), to: at(3500), reason: 'gone' };
    const result = audit({ name: 'sink', events, gaps: [gap], damaged }, log);
    assert.deepEqual([result.right, result.inGaps, result.faults], [1, 2, []]);
  });

  it('reports missing, outdated and unknown events without a gap', () => {
    const events = new Map([
      ['b', { count: 1 }],
      ['c', { count: 1 }],
      ['d', { count: 1 }],
    ]);
    const gap = { from: at(2500), to: at(3500), reason: 'gone' };
    const { faults } = audit({ name: 'sink', events, gaps: [gap], damaged }, log);
    assert.deepEqual(
      faults.map((fault) => fault.slice(0, 1)),
      ['a', 'b', 'd'],
    );
  });

  it('uses a gap for no more events than its count', () => {
    const gap = { from: at(0), to: at(9999), reason: 'full', dropped: 2 };
    const { inGaps, faults } = audit(
      { name: 'sink', events: new Map(), gaps: [gap], damaged },
      log,
    );
    assert.deepEqual([inGaps, faults.length], [2, 1]);
  });

  it('uses a gap without a beginning only for corrupted events', () => {
    const gaps = [{ from: undefined, to: at(9999), reason: 'damaged' }];
    const content = { name: 'sink', events: new Map(), gaps, damaged: new Set(['b']) };
    const { inGaps, faults } = audit(content, log);
    assert.deepEqual([inGaps, faults.length], [1, 2]);
  });
});

if (hasSqlite) {
  describe('the collector under chaos', () => {
    it('misses nothing without recording a gap', async (t) => {
      const options = { directory: await folder(t), seed: 20260101, rounds: 1, scale: 0.25 };
      const report = await collectorChaos({ ...options, say: () => undefined });
      assert.ok(isClean(report), describeReport(report));
      assert.ok(report.audits.every(({ right }) => right > report.written / 2));
    });
  });
}
