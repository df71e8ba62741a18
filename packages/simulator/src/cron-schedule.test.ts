import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { parseCronSchedule } from './cron-schedule.ts';

function times(schedule: string, after: string, count = 1, timeZone?: string): string[] {
  const { next } = parseCronSchedule(schedule, timeZone);
  const found: string[] = [];
  let time = Date.parse(after);
  for (let index = 0; index < count; index += 1) {
    time = next(time) ?? Number.NaN;
    found.push(new Date(time).toISOString().slice(0, 16));
  }
  return found;
}

describe('parseCronSchedule', () => {
  it('finds the next moments of five fields', () => {
    const now = '2026-01-30T10:07:30Z';
    assert.deepEqual(times('* * * * *', now, 2), ['2026-01-30T10:08', '2026-01-30T10:09']);
    assert.deepEqual(times('*/15 9-17 * * MON-FRI', now, 2), [
      '2026-01-30T10:15',
      '2026-01-30T10:30',
    ]);
    assert.deepEqual(times('5/20 0 1 feb,mar ?', now, 4), [
      '2026-02-01T00:05',
      '2026-02-01T00:25',
      '2026-02-01T00:45',
      '2026-03-01T00:05',
    ]);
    assert.deepEqual(times('0 0 29 2 *', now), ['2028-02-29T00:00']);
    assert.deepEqual(times('@weekly', now), ['2026-02-01T00:00']);
  });

  it('takes either day if both the day of the month and of the week are given', () => {
    const now = '2026-01-30T10:07:30Z';
    assert.deepEqual(times('0 0 13 * fri', now, 3), [
      '2026-02-06T00:00',
      '2026-02-13T00:00',
      '2026-02-20T00:00',
    ]);
    assert.deepEqual(times('0 0 */10 * fri', now, 2), ['2026-01-31T00:00', '2026-02-01T00:00']);
  });

  it('knows time zones with summer time', () => {
    const around = '2026-03-28T12:00:00Z';
    assert.deepEqual(times('30 9 * * *', around, 2, 'Europe/Berlin'), [
      '2026-03-29T07:30',
      '2026-03-30T07:30',
    ]);
    assert.deepEqual(times('TZ=Asia/Kolkata 0 0 * * *', around), ['2026-03-28T18:30']);
    // There is no half past two on that day.
    assert.deepEqual(times('30 2 * * *', around, 1, 'Europe/Berlin'), ['2026-03-30T00:30']);
  });

  it('repeats after a delay, and knows when there is no moment at all', () => {
    assert.deepEqual(times('@every 1h30m', '2026-01-01T00:00:00Z', 2), [
      '2026-01-01T01:30',
      '2026-01-01T03:00',
    ]);
    assert.equal(parseCronSchedule('0 0 31 2 *').next(0), undefined);
  });
});
