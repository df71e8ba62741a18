import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../lib/random.ts';
import { validateDns1123Subdomain } from '../meta/names.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { EventNames } from './event-recorder.ts';

const startMs = Date.UTC(2026, 0, 1);

function fixedRandom(value: number) {
  return { next: () => value, uuid: () => '11111111-2222-4333-8444-555555555555' };
}

describe('EventNames', () => {
  it('appends the time in nanoseconds to the name of the object', () => {
    const clock = new VirtualClock({ startMs: 105_999_103_295 });
    const names = new EventNames({ clock, random: fixedRandom(0.324_396) });
    assert.equal(names.next('test-pod'), 'test-pod.178959f726d80ec');
  });

  it('never returns a name twice, even within a millisecond or when the clock is set back', () => {
    const clock = new VirtualClock({ startMs });
    const names = new EventNames({ clock, random: fixedRandom(0.5) });
    const seen = new Set<string>();
    for (let count = 0; count < 1000; count += 1) {
      seen.add(names.next('web'));
      if (count === 500) clock.jump(-60_000);
    }
    assert.equal(seen.size, 1000);
  });

  it('differs between two programs in the same millisecond', () => {
    const clock = new VirtualClock({ startMs });
    const [left, right] = [1, 2].map(
      (seed) => new EventNames({ clock, random: seededRandom(seed) }),
    );
    assert.notEqual(left?.next('web'), right?.next('web'));
  });

  for (const [what, objectName] of [
    ['too long', 'x'.repeat(300)],
    ['in capitals', 'test.POD'],
    ['with invalid characters', '--test.pod/invalid!chars?'],
    ['an IPv6 address', '2001:db8::123'],
  ] as const) {
    it(`is a UUID if the name of the object is ${what}`, () => {
      const clock = new VirtualClock({ startMs });
      const random = fixedRandom(0);
      const name = new EventNames({ clock, random }).next(objectName);
      assert.equal(name, random.uuid());
      assert.deepEqual(validateDns1123Subdomain(name), []);
    });
  }
});
