import type { ObservedRecord, ObservedTrigger } from 'client-ts/observe';

import { formatDuration } from './format.ts';
import { isFailure } from './machine.ts';
import type { Level } from './picture.ts';

/** A record in one line. */
export interface RecordText {
  /** What it is about, as in the name of an informer. */
  readonly subject: string;
  readonly text: string;
  readonly level: Level;
}

/** Describes a record for people. */
export function describeRecord(record: ObservedRecord): RecordText {
  switch (record.type) {
    case 'informer.state':
      return {
        subject: record.informer,
        text: `${record.state}${record.reason === undefined ? '' : `: ${record.reason}`}`,
        level: record.state === 'live' ? 'ok' : record.reason === undefined ? 'idle' : 'bad',
      };
    case 'informer.relist':
      return {
        subject: record.informer,
        text: `${record.how}: ${record.reason}`,
        level: record.how === 'watch' ? 'idle' : 'warn',
      };
    case 'informer.events':
      return {
        subject: record.informer,
        text: `+${record.added} ~${record.updated} −${record.deleted}, ${record.objects} objects`,
        level: 'idle',
      };
    case 'watch.event':
      return { subject: record.informer, text: `${record.event} ${record.key}`, level: 'idle' };
    case 'handler.slow':
      return {
        subject: record.informer,
        text: `${record.handler} took ${formatDuration(record.durationMs)} for ${record.key}`,
        level: 'warn',
      };
    case 'queue.add':
    case 'queue.state':
      return describeQueue(record);
    case 'reconcile.start':
    case 'reconcile.end':
      return describeReconcile(record);
    case 'request.start':
    case 'request.end':
    case 'request.head':
      return describeRequest(record);
    case 'election':
      return {
        subject: record.lease,
        text: `${record.what}, ${record.leader === '' ? 'no leader' : `${record.leader} leads`}`,
        level: record.what === 'lost' || record.what === 'failed' ? 'bad' : 'idle',
      };
    case 'event.recorded':
      return {
        subject: record.regarding,
        text: `${record.reason}: ${record.note}`,
        level: record.severity === 'Warning' ? 'warn' : 'idle',
      };
    case 'note':
      return {
        subject: record.subject,
        text: record.text,
        level: { error: 'bad', warning: 'warn', info: 'idle' }[record.severity] as Level,
      };
    case 'guard.warning':
      return {
        subject: record.controller,
        text: `${record.kind} ${record.key}: ${record.message}`,
        level: 'bad',
      };
    default:
      return { subject: '', text: JSON.stringify(record), level: 'idle' };
  }
}

function describeQueue(record: Extract<ObservedRecord, { readonly queue: string }>): RecordText {
  if (record.type === 'queue.state') {
    const text = `${record.depth} waiting, ${record.busy} busy, ${record.waiting} delayed`;
    return { subject: record.queue, text, level: 'idle' };
  }
  const delay = record.delayMs === undefined ? '' : ` in ${formatDuration(record.delayMs)}`;
  return {
    subject: record.queue,
    text: `${record.key}${delay}: ${describeTrigger(record.trigger)}`,
    level: record.trigger.kind === 'retry' ? 'warn' : 'idle',
  };
}

function describeReconcile(
  record: Extract<ObservedRecord, { type: 'reconcile.end' | 'reconcile.start' }>,
): RecordText {
  if (record.type === 'reconcile.start') {
    const text = `${record.key}: ${describeTrigger(record.trigger)}`;
    return { subject: record.controller, text, level: 'idle' };
  }
  const error = record.error === undefined ? '' : `: ${record.error}`;
  return {
    subject: record.controller,
    text: `${record.key} ${record.result} after ${formatDuration(record.durationMs)}${error}`,
    level: isFailure(record.result) ? 'bad' : 'ok',
  };
}

function describeRequest(record: Extract<ObservedRecord, { readonly verb: string }>): RecordText {
  const object = [record.namespace, record.name].filter((part) => part !== '').join('/');
  const what = `${record.verb} ${object}`;
  if (record.type === 'request.start')
    return { subject: record.resource, text: what, level: 'idle' };
  const hasFailed = record.code === 0 || record.code >= 400;
  const latency = formatDuration(record.latencyMs);
  const level = hasFailed ? 'warn' : 'ok';
  if (record.type === 'request.head') {
    const text = `${what} ${record.code} after ${latency}, open`;
    return { subject: record.resource, text, level };
  }
  const code = record.code === 0 ? (record.errorCode ?? 'failed') : record.code;
  const { openMs } = record;
  const after = openMs === undefined ? `after ${latency}` : `over after ${formatDuration(openMs)}`;
  return { subject: record.resource, text: `${what} ${code} ${after}`, level };
}

function describeTrigger(trigger: ObservedTrigger): string {
  return trigger.kind === 'change'
    ? `${trigger.event} of ${trigger.informer} ${trigger.key}`
    : trigger.kind;
}
