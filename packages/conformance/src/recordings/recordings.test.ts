import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deviations, loadExpected } from './expected.ts';
import { loadRecordings } from './format.ts';
import { runRecordings } from './run.ts';

it('the embedded server differs from the recordings exactly as listed', async () => {
  const expected = await loadExpected();
  const recordings = await loadRecordings();
  assert.equal(recordings.flatMap(({ exchanges }) => exchanges).length, 1620);
  const results = await runRecordings(recordings);
  const skipped = results.flatMap(({ outcomes }) => outcomes.filter((o) => o.result === 'skipped'));
  assert.deepEqual(skipped, []);
  // The kubectl replay is a group of the same list, with its own test.
  const found = results.flatMap((result) => deviations([result], expected, false));
  assert.deepEqual(found, [], 'see "npm run recordings -- --update" in CONTRIBUTING.md');
});
