import assert from 'node:assert/strict';
import { it } from 'node:test';

import { scheduleProblem } from './cron-schedule.ts';
import { durationProblem } from '../../../validation/go-duration.ts';

it('accepts valid schedules', () => {
  for (const schedule of [
    '* * * * *',
    '0 0 1 1 0',
    '59 23 31 12 6',
    '*/15 0-5,22 ? jan-mar MON',
    '1/5 * * * *',
    '1-10/3 * * * *',
    ',5 * * * *',
    '@hourly',
    '@midnight',
    '@every 1h',
    'CRON_TZ=Europe/Berlin 0 0 * * *',
    'TZ=UTC   @daily',
  ]) {
    assert.equal(scheduleProblem(schedule), undefined, schedule);
  }
});

it('rejects invalid schedules with the messages of kube-apiserver', () => {
  const atoi = (text: string, why = 'invalid syntax'): string =>
    `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": ${why}`;
  const cases: readonly (readonly [schedule: string, problem: string])[] = [
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['', 'expected exactly 5 fields, found 0: []'],
    ['x * * * *', atoi('x')],
    ['99999999999999999999 * * * *', atoi('99999999999999999999', 'value out of range')],
    ['1--2 * * * *', 'too many hyphens: 1--2'],
    ['1- * * * *', atoi('')],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/x * * * *', atoi('x')],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * 32 * *', 'end of range (32) above maximum (31): 32'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
    ['* * * foo *', atoi('foo')],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
    ['TZ=No/Where * * * * *', 'provided bad location No/Where: unknown time zone No/Where'],
  ];
  for (const [schedule, problem] of cases) {
    assert.equal(scheduleProblem(schedule), problem, schedule);
  }
});

it('parses durations as Go does', () => {
  for (const text of ['0', '1h', '-1.5h', '+3m2s', '.5s', '1.s', '10us', '10µs']) {
    assert.equal(durationProblem(text), undefined, text);
  }
  assert.equal(durationProblem(''), 'time: invalid duration ""');
  assert.equal(durationProblem('-'), 'time: invalid duration "-"');
  assert.equal(durationProblem('.s'), 'time: invalid duration ".s"');
  assert.equal(durationProblem('5'), 'time: missing unit in duration "5"');
  assert.equal(durationProblem('5d'), 'time: unknown unit "d" in duration "5d"');
});
