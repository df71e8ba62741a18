import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClockFlaws, Fate, Network, ProcessClock } from './test-world.ts';

/** What happens to one of several processes, or to the time. */
export type Happening =
  | { readonly does: 'fare'; readonly who: number; readonly fate: Fate; readonly ms: number[] }
  | { readonly does: 'pause' | 'resume' | 'start' | 'stop'; readonly who: number }
  | { readonly does: 'wait'; readonly ms: number };

/** A process with its own clock and network. */
export interface TestProcess {
  readonly clock: ProcessClock;
  readonly network: Network;
  start(): void;
  stop(): void;
}

/** Generates what happens to `size` processes. */
export function anyHappenings(size: number): fc.Arbitrary<Happening[]> {
  const who = fc.nat({ max: size - 1 });
  const fate = fc.constantFrom<Fate>(
    'answerLost',
    'delivered',
    'delivered',
    'delivered',
    'doneSilently',
    'refused',
    'silent',
  );
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ does: fc.constant('wait'), ms: fc.nat({ max: 12_000 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('fare'),
        who,
        fate,
        ms: fc.array(fc.nat({ max: 6000 }), { minLength: 2, maxLength: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constantFrom('pause', 'resume', 'start', 'stop'), who }),
    },
  );
  return fc.array(happening, { minLength: 5, maxLength: 60 });
}

/**
 * Generates the clocks of `size` processes: any skew of the wall clock, and a drift that the gap
 * between deadline and lease allows.
 */
export function anyClocks(size: number): fc.Arbitrary<ClockFlaws[]> {
  return fc.array(
    fc.record({
      skewMs: fc.integer({ min: -1e9, max: 1e9 }),
      rate: fc.constantFrom(1, 1.03, 1.06),
      sleeps: fc.boolean(),
    }),
    { minLength: size, maxLength: size },
  );
}

/** Lets all of it happen, and checks the world after each. */
export async function play(
  world: { pass(ms: number): Promise<void>; check(): void },
  processes: readonly TestProcess[],
  happenings: readonly Happening[],
): Promise<void> {
  for (const next of happenings) {
    if (next.does === 'wait') {
      await world.pass(next.ms);
      continue;
    }
    const process = processes[next.who];
    assert.ok(process !== undefined);
    const { clock, network } = process;
    if (next.does === 'fare') {
      const [thereMs = 0, backMs = 0] = next.ms;
      Object.assign(network, { fate: next.fate, thereMs, backMs });
    } else if (next.does === 'pause' || next.does === 'resume') {
      clock[next.does]();
    } else if (!clock.isPaused) {
      process[next.does]();
    }
    world.check();
  }
}

/** Ends the pause and the faults of a process. */
export function heal({ clock, network }: TestProcess): void {
  clock.resume();
  Object.assign(network, { fate: 'delivered', thereMs: 0, backMs: 0 });
}
