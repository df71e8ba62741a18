import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { LogEntry } from './history.ts';
import { compareWithLog, needlessRelists, type WireRun } from './wire-history.ts';

function logOf(...versions: string[]): LogEntry[] {
  return versions.map((version) => ({
    type: 'put',
    key: 'a',
    state: { version, uid: '', digest: '' },
  }));
}

/** `7` is an event, `b9` a bookmark. */
function run(from: string, ...events: string[]): WireRun {
  return {
    from,
    events: events.map((event) => ({
      version: event.replace('b', ''),
      isBookmark: event.startsWith('b'),
    })),
  };
}

describe('compareWithLog', () => {
  it('accepts watches that deliver what happened, however far they go', () => {
    const log = logOf('5', '9', '10', '12');
    const runs = [
      run('4', '5', 'b8', '9'),
      run('9'),
      run('9', '10', 'b11', 'b11'),
      run('11', '12'),
    ];
    assert.deepEqual(compareWithLog(log, runs), { missed: new Set(), problems: [] });
    assert.deepEqual(compareWithLog(log, [run('5', '9')]).missed, new Set());
  });

  it('finds what was left out before an event or a bookmark', () => {
    const log = logOf('5', '9', '10', '12');
    assert.deepEqual(compareWithLog(log, [run('4', '9')]).missed, new Set(['5']));
    assert.deepEqual(compareWithLog(log, [run('9', 'b11', '12')]).missed, new Set(['10']));
    assert.deepEqual(compareWithLog(log, [run('9', 'b10')]).missed, new Set(['10']));
  });

  it('finds duplicates, wrong order and unknown events', () => {
    const log = logOf('5', '9', '10');
    assert.deepEqual(compareWithLog(log, [run('4', '5', '5')]).problems, [
      'a watch went from 5 to 5',
    ]);
    assert.deepEqual(compareWithLog(log, [run('5', '5')]).problems, ['a watch went from 5 to 5']);
    assert.deepEqual(compareWithLog(log, [run('4', '5', '10', '9')]).problems, [
      'a watch went from 10 to 9',
    ]);
    assert.deepEqual(compareWithLog(log, [run('5', '7')]).problems, ['nothing happened at 7']);
  });
});

describe('needlessRelists', () => {
  it('are those after which a watch could have continued', () => {
    const relists = [
      'start',
      '410',
      '429',
      'end',
      'empty watches',
      'TRANSPORT_CONNECTION_RESET',
      '500',
    ].map((cause, index) => ({ cause, after: '', upTo: String(index + 1) }));
    assert.deepEqual(needlessRelists({ relists }), [
      'the list at 3 was made because of 429',
      'the list at 4 was made because of end',
      'the list at 6 was made because of TRANSPORT_CONNECTION_RESET',
    ]);
  });
});
