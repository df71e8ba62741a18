import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { renderPlain, renderWarning } from './render-plain.ts';
import { noPods } from './state.ts';
import { demoState } from './test-state.ts';

describe('renderPlain', () => {
  it('formats the state in one line', () => {
    assert.equal(
      renderPlain(demoState()),
      '00:01:23 pods: 14 running, 4 starting, 1 failing | node-1=9 node-2=9 node-10=0 none=2 | events: 312, 4.3/s | waiting: 2',
    );
  });

  it('includes problems', () => {
    const informers = [{ name: 'pods', state: 'stale: no\nroute', isWell: false, objects: 0 }];
    const line = renderPlain(demoState({ informers, nodes: [], homeless: noPods }));
    assert.match(line, /no nodes .* \| pods: stale: no route$/);
  });
});

describe('renderWarning', () => {
  it('formats a warning in one line', () => {
    const [warning] = demoState().warnings;
    assert.ok(warning);
    assert.equal(
      renderWarning({ ...warning, message: 'two\nlines' }),
      'Warning BackOff pod/web-abc-12345: two lines (×3)',
    );
  });
});
