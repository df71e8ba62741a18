import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deviations, loadExpected } from '../recordings/expected.ts';
import { loadRecordings } from '../recordings/format.ts';
import { runCommands } from '../recordings/run.ts';

it('the embedded server answers the requests of kubectl as recorded, except for listed differences', async () => {
  const result = await runCommands(await loadRecordings());
  assert.equal(result.outcomes.length, 538);
  const found = deviations([result], await loadExpected(), false);
  assert.deepEqual(found, [], 'see "npm run recordings -- --update" in CONTRIBUTING.md');
});
