import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordedExchange } from './format.ts';
import type { Outcome } from './replay.ts';
import { describeFailure, table, tally } from './report.ts';

const exchange: RecordedExchange = {
  id: 'get',
  about: 'reads it',
  request: { method: 'GET', path: '/api/v1/pods', headers: { accept: 'text/html' } },
  response: { status: 200, headers: {} },
};

function outcomes(passed: number, failed: number, skipped = 0): Outcome[] {
  const make = (result: Outcome['result'], count: number): Outcome[] =>
    Array.from({ length: count }, () => ({ exchange, result, differences: [] }));
  return [...make('passed', passed), ...make('failed', failed), ...make('skipped', skipped)];
}

describe('the report', () => {
  it('counts outcomes by group and in total', () => {
    const results = [
      { group: 'watch', outcomes: outcomes(9, 1, 5) },
      { group: 'tables', outcomes: outcomes(0, 300) },
    ];
    assert.deepEqual(tally(outcomes(9, 1, 5)), {
      exchanges: 15,
      same: 9,
      different: 1,
      skipped: 5,
    });
    assert.match(table(results), /^tables +300 +0 +300 +0$/m);
    assert.match(table(results), /^all +315 +9 +301 +5$/m);
  });

  it('describes a failure with its request and differences', () => {
    const text = describeFailure('watch', {
      exchange,
      result: 'failed',
      request: { method: 'GET', path: '/api/v1/pods?x=1', headers: {} },
      differences: [
        { path: '/response/body/kind', expected: 'PodList', got: undefined, wanted: 'w' },
      ],
    });
    for (const part of ['watch/get', '/api/v1/pods?x=1', 'text/html', '/response/body/kind']) {
      assert.ok(text.includes(part), part);
    }
    assert.match(text, /wanted: w/);
    assert.match(text, /expected "PodList"\n +got {6}\(absent\)/);
  });
});
