import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../lib/random.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { EventCorrelator } from './event-correlator.ts';
import { makeEvent, podReference } from './test-record.ts';

/** Small enough for short histories to reach every limit, and exact in binary fractions. */
const limits = { maxEvents: 3, maxIntervalMs: 30_000, burstSize: 4, qps: 1 / 8 };
const refillSeconds = 8;

interface Happening {
  /** Seconds since the previous one. */
  readonly pause: number;
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
}

const happening: fc.Arbitrary<Happening> = fc.record({
  pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.constantFrom(30, 31, 60)),
  object: fc.constantFrom('a', 'b'),
  reason: fc.constantFrom('Started', 'Failed'),
  message: fc.constantFrom('one', 'two', 'three', 'four'),
  type: fc.constantFrom('Normal', 'Warning'),
});

interface Outcome {
  readonly message: string;
  readonly count: number;
  readonly isPatch: boolean;
}

/** A model that decides about each event by its whole history. */
function expected(history: readonly Happening[]): (Outcome | undefined)[] {
  const times: number[] = [];
  const combined: boolean[] = [];
  const outcomes: (Outcome | undefined)[] = [];
  for (const [index, now] of history.entries()) {
    times.push((times.at(-1) ?? 0) + now.pause);
    combined.push(isCombined(history.slice(0, index + 1), times));
    const isSame = (other: Happening, position: number): boolean =>
      combined[position] === combined[index] &&
      isSimilar(other, now) &&
      (combined[index] === true || other.message === now.message);
    const count = history.slice(0, index + 1).filter(isSame).length;
    const budgetKey = ({ object, type }: Happening): string => `${object} ${type}`;
    const sharing = [...history.keys()].filter(
      (position) =>
        position <= index && budgetKey(history[position] as Happening) === budgetKey(now),
    );
    const isOver = !passes(sharing.map((position) => times[position] ?? 0));
    const prefix = combined[index] === true ? '(combined from similar events): ' : '';
    outcomes.push(
      isOver ? undefined : { message: `${prefix}${now.message}`, count, isPatch: count > 1 },
    );
  }
  return outcomes;
}

function isSimilar(left: Happening, right: Happening): boolean {
  return left.object === right.object && left.reason === right.reason && left.type === right.type;
}

/** Returns true if the last event exceeds the number of similar events. */
function isCombined(history: readonly Happening[], times: readonly number[]): boolean {
  const last = history.at(-1) as Happening;
  let messages: string[] = [];
  let seenAt: number | undefined;
  let isOne = false;
  for (const [index, one] of history.entries()) {
    if (!isSimilar(one, last)) continue;
    const time = times[index] ?? 0;
    if (seenAt !== undefined && (time - seenAt) * 1000 > limits.maxIntervalMs) messages = [];
    seenAt = time;
    if (!messages.includes(one.message)) messages.push(one.message);
    isOne = messages.length >= limits.maxEvents;
    if (isOne) messages.shift();
  }
  return isOne;
}

/** Returns true if the last event of those with one rate limit gets a token, in whole seconds. */
function passes(times: readonly number[]): boolean {
  const full = limits.burstSize * refillSeconds;
  let seconds = full;
  let countedAt = times[0] ?? 0;
  let passed = false;
  for (const time of times) {
    seconds = Math.min(full, seconds + (time - countedAt));
    countedAt = time;
    passed = seconds >= refillSeconds;
    if (passed) seconds -= refillSeconds;
  }
  return passed;
}

describe('EventCorrelator (property)', () => {
  it('decides as the model that uses the whole history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (history) => {
        const clock = new VirtualClock();
        const correlator = new EventCorrelator({ ...limits, clock, random: seededRandom(1) });
        const outcomes: (Outcome | undefined)[] = [];
        for (const { pause, object, ...parts } of history) {
          await clock.advance(pause * 1000);
          const involvedObject = { ...podReference, name: object };
          const result = correlator.eventCorrelate(makeEvent(clock, { involvedObject, ...parts }));
          if (result.isSkipped) {
            outcomes.push(undefined);
            continue;
          }
          correlator.updateState(result.event, result.key);
          const { count = 0, message = '' } = result.event;
          outcomes.push({ message, count, isPatch: result.patch !== undefined });
        }
        assert.deepEqual(outcomes, expected(history));
      }),
      { numRuns: 300 },
    );
  });
});
