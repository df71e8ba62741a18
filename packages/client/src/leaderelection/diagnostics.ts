import { DiagnosticChannel } from '../lib/diagnostic-channel.ts';

/** Something happened in an election. */
export interface ElectionStep {
  /** The lease, as in `default/operator`. */
  readonly lease: string;
  /** The identity of this process. */
  readonly identity: string;
  /** `leader`: another process leads now. `failed`: an attempt to acquire or renew failed. */
  readonly what: 'acquired' | 'failed' | 'leader' | 'lost' | 'released' | 'renewed';
  /** The last known leader; empty if there is none. */
  readonly leader: string;
  /** How often the lease changed hands. */
  readonly term: number;
  readonly error?: unknown;
}

/** The steps of elections. */
export const electionSteps: DiagnosticChannel<ElectionStep> = new DiagnosticChannel(
  'client-ts:election:step',
);
