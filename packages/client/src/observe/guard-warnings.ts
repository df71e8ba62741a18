import { DiagnosticChannel } from '../lib/diagnostic-channel.ts';
import type { GuardWarningRecord } from './observed-record.ts';

/** A warning, before the feed gives it a time and a number. */
export type GuardWarning = Omit<GuardWarningRecord, 'at' | 'program' | 'seq' | 'type'>;

/** The warnings about controllers that work against themselves or against another writer. */
export const guardWarnings: DiagnosticChannel<GuardWarning> = new DiagnosticChannel(
  'client-ts:guard:warning',
);
