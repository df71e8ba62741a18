import { DiagnosticChannel } from '../lib/diagnostic-channel.ts';

/** An Event that a program records. It is sent later, perhaps merged with others, and may be dropped. */
export interface RecordedEvent {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly component: string;
}

/** The Events that a program records. */
export const recordedEvents: DiagnosticChannel<RecordedEvent> = new DiagnosticChannel(
  'client-ts:event:record',
);
