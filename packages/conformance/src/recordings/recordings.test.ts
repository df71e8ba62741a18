import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadRecordings } from './format.ts';
import { missedBars } from './report.ts';
import { runRecordings } from './run.ts';

it('the embedded server answers the recorded exchanges as its bars demand', async () => {
  const recordings = await loadRecordings();
  assert.equal(recordings.flatMap(({ exchanges }) => exchanges).length, 1620);
  const results = await runRecordings(recordings);
  assert.deepEqual(missedBars(results, true), []);
});
