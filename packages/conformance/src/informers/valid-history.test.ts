import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { HandlerCall, History, LogEntry, ObjectState } from './history.ts';
import { historyProblems } from './valid-history.ts';

/** `a@5` is the state of `a` at version 5; `a@5!` one with another uid, `a@5?` other content. */
function stateOf(text: string): { key: string; state: ObjectState } {
  const [, key = '', version = '', mark = ''] = /^(\w+)@(\d+)([!?]?)$/.exec(text) ?? [];
  const uid = `${key}-${mark === '!' ? 'other' : 'one'}`;
  return { key, state: { version, uid, digest: mark === '?' ? 'other' : version } };
}

/** `a@5 b@6 -a@7`: the writes of the server. */
function logOf(text: string): LogEntry[] {
  return text
    .split(' ')
    .map((word) =>
      word.startsWith('-')
        ? { type: 'delete', ...stateOf(word.slice(1)) }
        : { type: 'put', ...stateOf(word) },
    );
}

/**
 * `++a@5` is an initial addition, `+a@5` an addition, `a@5>a@6` an update, `-a@7` a deletion and
 * `xa@6` a tombstone. `=6` or `=gone` is the state in the store, if it differs from the delivered
 * one.
 */
function callsOf(text: string): HandlerCall[] {
  if (text === '') return [];
  return text.split(' ').map((word): HandlerCall => {
    const [what = '', seen] = word.split('=');
    const [before, after] = what.split('>');
    if (after !== undefined) {
      const { key, state } = stateOf(after);
      const stored = storedOf(seen, state.version);
      return { type: 'update', key, state, before: stateOf(before ?? '').state, stored };
    }
    const [, sign = '', rest = ''] = /^(\+\+|\+|-|x)(.*)$/.exec(what) ?? [];
    const { key, state } = stateOf(rest);
    if (sign === '-') return { type: 'delete', key, state, stored: storedOf(seen, undefined) };
    if (sign === 'x') return { type: 'tombstone', key, state, stored: storedOf(seen, undefined) };
    const isInInitialList = sign === '++';
    return { type: 'add', key, state, isInInitialList, stored: storedOf(seen, state.version) };
  });
}

function storedOf(seen: string | undefined, delivered: string | undefined): string | undefined {
  return seen === undefined ? delivered : seen === 'gone' ? undefined : seen;
}

type Case = Partial<Omit<History, 'calls' | 'log' | 'missed' | 'start'>> & {
  readonly log: string;
  readonly calls: string;
  readonly missed?: readonly string[];
  readonly replayed?: string;
  readonly upTo?: string;
  readonly continued?: string;
};

function problems(given: Case): string[] {
  const { log, calls, missed = [], replayed, continued, upTo = '', ...rest } = given;
  const held = (replayed ?? continued ?? '').split(' ').filter((word) => word !== '');
  const delivered = callsOf(calls);
  return historyProblems({
    gaps: [],
    order: 'server',
    hasResyncs: false,
    isWhole: true,
    syncedAfter: delivered.length,
    ...rest,
    log: logOf(log),
    calls: delivered,
    missed: new Set(missed),
    start: {
      held: new Map(
        held.map((word) => {
          const { key, state } = stateOf(word);
          return [key, state];
        }),
      ),
      isReplayed: replayed !== undefined,
      upTo,
    },
  });
}

const firstList = [{ after: '', upTo: '5' }];

describe('a valid history', () => {
  const valid: Readonly<Record<string, Case>> = {
    'the initial state, then every change': {
      log: 'a@3 b@5 a@6 -b@7 c@8',
      calls: '++a@3 ++b@5 a@3>a@6 -b@7 +c@8',
      gaps: firstList,
    },
    'only the last state from a list': {
      log: 'a@3 a@6 a@7 c@8 -c@9',
      calls: '++a@3 a@3>a@7',
      gaps: [...firstList, { after: '5', upTo: '9' }],
    },
    'a deletion found by a list, as a tombstone': {
      log: 'a@3 a@6 -a@7',
      calls: '++a@3 xa@3',
      gaps: [...firstList, { after: '5', upTo: '7' }],
    },
    'an object that was recreated unobserved, as an update': {
      log: 'a@3 -a@6 a@7!',
      calls: '++a@3 a@3>a@7!',
      gaps: [...firstList, { after: '5', upTo: '8' }],
    },
    'one tombstone for unobserved deletions and recreations': {
      log: 'a@3 -a@6 a@7! -a@8!',
      calls: '++a@3 xa@3',
      gaps: [...firstList, { after: '5', upTo: '8' }],
    },
    'a late handler that starts from the cache': {
      log: 'a@3 b@4 -b@5 a@6 a@7',
      calls: '++a@6 a@6>a@7',
      replayed: 'a@6',
      upTo: '6',
    },
    'a late handler that gets pending changes': {
      log: 'a@3 b@4 -b@5 b@6! -b@7!',
      calls: '++a@3 +b@6!=gone -b@7!',
      replayed: 'a@3',
      upTo: '7',
    },
    'a handler that continues': { log: 'a@6', calls: 'a@3>a@6', continued: 'a@3', upTo: '5' },
    'a dropped deletion that a list finds': {
      log: 'a@3 -a@6 b@7',
      calls: '++a@3 +b@7 xa@3',
      gaps: [...firstList, { after: '7', upTo: '8' }],
      missed: ['6'],
    },
    'keys in another order': {
      log: 'a@3 b@4 a@6 b@7 a@8',
      calls: '++a@3 a@3>a@6=8 a@6>a@8 ++b@4 b@4>b@7',
      gaps: firstList,
      order: 'object',
    },
    'a store that is ahead': {
      log: 'a@3 a@6 -a@7 a@8!',
      calls: '++a@3=6 a@3>a@6=gone -a@7=8 +a@8!',
      gaps: firstList,
    },
    'a handler that was removed': {
      log: 'a@3 b@4 a@6',
      calls: '++a@3',
      gaps: firstList,
      isWhole: false,
      syncedAfter: undefined,
    },
    'a resync if enabled': {
      log: 'a@3',
      calls: '++a@3 a@3>a@3',
      gaps: firstList,
      hasResyncs: true,
    },
  };
  for (const [name, given] of Object.entries(valid)) {
    it(`may have ${name}`, () => assert.deepEqual(problems(given), []));
  }

  const invalid: Readonly<Record<string, Case & { readonly says: RegExp }>> = {
    'a missing change': {
      log: 'a@3 a@6 a@7',
      calls: '++a@3 a@3>a@7',
      gaps: firstList,
      says: /a missed put 6/,
    },
    'a missing last change': {
      log: 'a@3 a@6',
      calls: '++a@3',
      gaps: firstList,
      says: /at the end: a missed put 6/,
    },
    'a missing change of a list': {
      log: 'a@3 a@6 a@8',
      calls: '++a@3 a@3>a@8',
      gaps: [...firstList, { after: '5', upTo: '7' }],
      says: /a missed put 6/,
    },
    'a missing deletion': {
      log: 'a@3 -a@6',
      calls: '++a@3',
      gaps: firstList,
      says: /at the end: a missed delete 6/,
    },
    'a missing deletion of a list': {
      log: 'a@3 -a@6 b@9',
      calls: '++a@3 +b@9',
      gaps: [...firstList, { after: '5', upTo: '7' }],
      says: /at the end: a missed delete 6/,
    },
    'a dropped deletion that no list delivered': {
      log: 'a@3 -a@6',
      calls: '++a@3',
      gaps: firstList,
      missed: ['6'],
      says: /a is known at 3, and is at no version/,
    },
    'an addition twice': {
      log: 'a@3',
      calls: '++a@3 ++a@3',
      gaps: firstList,
      says: /call 2: a is added twice/,
    },
    'a change twice': {
      log: 'a@3 a@6',
      calls: '++a@3 a@3>a@6 a@6>a@6',
      gaps: firstList,
      says: /call 3: a is delivered twice/,
    },
    'a deletion twice': {
      log: 'a@3 -a@6',
      calls: '++a@3 -a@6 -a@6',
      gaps: firstList,
      says: /a has delete and was not added/,
    },
    'a step back': {
      log: 'a@3 a@6',
      calls: '++a@3 a@3>a@6 a@6>a@3=6',
      gaps: firstList,
      says: /a goes back to 3/,
    },
    'a step back over a deletion': {
      log: 'a@3 -a@6',
      calls: '++a@3 -a@6 +a@3=gone',
      gaps: firstList,
      says: /a goes back to 3/,
    },
    'a change from another state': {
      log: 'a@3 a@6 a@7',
      calls: '++a@3 a@3>a@6 a@3>a@7',
      gaps: firstList,
      says: /a is updated from 3, though it was at 6/,
    },
    'a tombstone with an older state': {
      log: 'a@3 a@6 -a@9',
      calls: '++a@3 a@3>a@6 xa@3',
      gaps: [...firstList, { after: '8', upTo: '9' }],
      says: /a has a tombstone at 3, though it was at 6/,
    },
    'a tombstone for an observed deletion': {
      log: 'a@3 -a@6',
      calls: '++a@3 xa@3',
      gaps: firstList,
      says: /a has a tombstone without an unobserved deletion/,
    },
    'a tombstone for an existing object': {
      log: 'a@3',
      calls: '++a@3 xa@3=3',
      gaps: firstList,
      says: /a has a tombstone without an unobserved deletion/,
    },
    'other content': {
      log: 'a@3',
      calls: '++a@3?',
      gaps: firstList,
      says: /a at 3 is not what the server had/,
    },
    'another object': { log: 'a@3!', calls: '++a@3', says: /a at 3 is not what the server had/ },
    'a version that never existed': { log: 'a@3', calls: '++a@4', says: /a never had add 4/ },
    'an object that never existed': {
      log: 'a@3',
      calls: '++b@3',
      says: /b never existed on the server/,
    },
    'objects out of the order of the server': {
      log: 'a@6 b@7',
      calls: '+b@7 +a@6',
      says: /a at 6 comes after 7/,
    },
    'an incomplete replay': {
      log: 'a@3 b@4 b@6',
      calls: '++a@3 b@4>b@6',
      replayed: 'a@3 b@4',
      upTo: '5',
      says: /b : update before the replay/,
    },
    'a replay of a deleted object': {
      log: 'a@3 b@4 -b@5',
      calls: '++b@4=gone',
      replayed: 'a@3',
      upTo: '5',
      says: /b is replayed and was not in the cache/,
    },
    'a replay in another state': {
      log: 'a@3 a@4',
      calls: '++a@3=4',
      replayed: 'a@4',
      upTo: '5',
      says: /a is replayed in another state/,
    },
    'nothing between replay and first change': {
      log: 'a@3 a@6 a@7',
      calls: '++a@3 a@3>a@7',
      replayed: 'a@3',
      upTo: '5',
      says: /a missed put 6/,
    },
    'a creation lost between cache and changes': {
      log: 'b@4 a@3 -a@5 a@6',
      calls: '++b@4',
      replayed: 'b@4',
      upTo: '6',
      says: /a missed put 6/,
    },
    'an unexpected resync, or one of another state': {
      log: 'a@3 a@6',
      calls: '++a@3 a@3>a@6 a@3>a@3=6',
      gaps: firstList,
      hasResyncs: true,
      says: /a is resynced at 3, though it is at 6/,
    },
    'a store that is behind': {
      log: 'a@3 a@6',
      calls: '++a@3 a@3>a@6=3',
      gaps: firstList,
      says: /a at 6 is in the store at 3/,
    },
    'a store without a delivered object': {
      log: 'a@3',
      calls: '++a@3=gone',
      gaps: firstList,
      says: /a at 3 is not in the store/,
    },
    'a store that still has a deleted object': {
      log: 'a@3 -a@6',
      calls: '++a@3 -a@6=3',
      gaps: firstList,
      says: /a is deleted and in the store at 3/,
    },
    'a sync before the first list was delivered': {
      log: 'a@3 b@4',
      calls: '++a@3 ++b@4',
      gaps: firstList,
      syncedAfter: 1,
      says: /call 2: b is initial after the sync/,
    },
    'no sync': {
      log: 'a@3',
      calls: '++a@3',
      gaps: firstList,
      syncedAfter: undefined,
      says: /it never synced/,
    },
    'changes before the first list': {
      log: 'a@3 b@4 a@6',
      calls: '++a@3 a@3>a@6 ++b@4',
      gaps: firstList,
      says: /b is initial after others were not/,
    },
  };
  for (const [name, { says, ...given }] of Object.entries(invalid)) {
    it(`does not have ${name}`, () => assert.match(problems(given).join('\n'), says));
  }
});
