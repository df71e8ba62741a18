import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KUBECTL_BAR } from '../recordings/bars.ts';
import { EMBEDDED_SPEED, fastClock } from '../recordings/fast-clock.ts';
import { embeddedTarget } from '../recordings/targets.ts';
import { loadRecordedCommands } from './recorded-commands.ts';
import { replayCommands } from './replay-requests.ts';

it('the embedded server answers what kubectl asks in its recorded commands', async () => {
  const clock = fastClock(EMBEDDED_SPEED);
  await using target = await embeddedTarget(clock);
  const outcomes = await replayCommands(await loadRecordedCommands(), target, clock);
  const failed = outcomes
    .filter(({ passed }) => !passed)
    .map(
      ({ command, request, expected, got }) => `${command}: ${request}: ${got}, not ${expected}`,
    );
  assert.ok(outcomes.length > 500, `only ${outcomes.length} requests`);
  const share = (100 * (outcomes.length - failed.length)) / outcomes.length;
  assert.ok(share >= KUBECTL_BAR, `${share.toFixed(1)} %\n${failed.join('\n')}`);
});
