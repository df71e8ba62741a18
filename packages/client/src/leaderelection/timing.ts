import type { Clock } from '../lib/clock.ts';
import { LeaderElectionError } from './leader-election-error.ts';

/** How much longer than the retry period candidates may wait, as a part of it. */
export const JITTER_FACTOR = 1.2;

/** The three times of an election. */
export interface ElectionTiming {
  /**
   * How long others wait, without seeing a change, until they take over. It is written as whole
   * seconds, rounded up. Default 15,000.
   */
  readonly leaseDurationMs: number;
  /**
   * How long the leader stays one without a renewal, counted from when the last successful one was
   * sent. Default 10,000.
   */
  readonly renewDeadlineMs: number;
  /** How long between two attempts, of the leader and of candidates. Default 2,000. */
  readonly retryPeriodMs: number;
}

const defaults: ElectionTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
};

/** Fills in what is missing, and refuses what cannot be safe. */
export function electionTiming(given: Partial<ElectionTiming>): ElectionTiming {
  const timing: ElectionTiming = {
    leaseDurationMs: given.leaseDurationMs ?? defaults.leaseDurationMs,
    renewDeadlineMs: given.renewDeadlineMs ?? defaults.renewDeadlineMs,
    retryPeriodMs: given.retryPeriodMs ?? defaults.retryPeriodMs,
  };
  for (const [name, value] of Object.entries(timing)) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw invalid(`${name} must be greater than zero, not ${value}`);
    }
  }
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timing;
  if (leaseDurationMs <= renewDeadlineMs) {
    throw invalid(
      `leaseDurationMs must be greater than renewDeadlineMs, but ${leaseDurationMs} is not greater than ${renewDeadlineMs}`,
    );
  }
  if (renewDeadlineMs <= retryPeriodMs * JITTER_FACTOR) {
    throw invalid(
      `renewDeadlineMs must be greater than retryPeriodMs times ${JITTER_FACTOR}, but ${renewDeadlineMs} is not greater than ${retryPeriodMs * JITTER_FACTOR}`,
    );
  }
  return timing;
}

function invalid(message: string): LeaderElectionError {
  return new LeaderElectionError('LEADERELECTION_CONFIG_INVALID', message);
}

/**
 * A request may take so long: half the deadline, so that one that hangs leaves room for another, but
 * a second at least.
 */
export function requestTimeoutMs({ renewDeadlineMs }: ElectionTiming): number {
  return Math.max(1000, renewDeadlineMs / 2);
}

/** A moment on both scales of a clock. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** The present moment. */
export function readClock(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

/**
 * How long ago a moment was, at most. The monotonic scale of most systems stands still while the
 * machine sleeps, and the wall clock can be set back; the longer of the two is the one to believe for
 * somebody who must not act too late.
 */
export function longestSince(clock: Clock, { monotonic, wall }: Moment): number {
  return Math.max(clock.monotonic() - monotonic, clock.now() - wall);
}
