import type { CollectedEvent } from './collected-event.ts';
import type { Gap } from './collector-sink.ts';

/** A value in OTLP's JSON; 64-bit numbers are strings. */
type AnyValue = { readonly intValue: string } | { readonly stringValue: string };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface LogRecord {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: AnyValue;
  readonly attributes: readonly KeyValue[];
}

/** The body of an export request of OTLP, in the JSON encoding. */
export interface OtlpLogs {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeLogs: readonly {
      readonly scope: { readonly name: string };
      readonly logRecords: readonly LogRecord[];
    }[];
  }[];
}

/** The attributes of a resource by name. */
export type OtlpAttributes = Readonly<Record<string, string>>;

const SCOPE = { name: '@client-ts/collector' };

/** The numbers of OpenTelemetry. */
const SEVERITY = { info: 9, warn: 13 } as const;

/**
 * Returns events as log records, with the attributes of the receiver for Kubernetes events of the
 * OpenTelemetry collector. The object of an event is its resource, so events of one object are
 * together. `log.record.uid` is the same if an event is sent again.
 */
export function logsOfEvents(
  events: readonly CollectedEvent[],
  resource: OtlpAttributes,
): OtlpLogs {
  const groups = new Map<string, { attributes: readonly KeyValue[]; logRecords: LogRecord[] }>();
  for (const event of events) {
    const attributes = resourceOf(event, resource);
    const key = JSON.stringify(attributes);
    const group = groups.get(key) ?? { attributes, logRecords: [] };
    group.logRecords.push(recordOf(event));
    groups.set(key, group);
  }
  return {
    resourceLogs: Array.from(groups.values(), ({ attributes, logRecords }) => ({
      resource: { attributes },
      scopeLogs: [{ scope: SCOPE, logRecords }],
    })),
  };
}

/** Returns a gap as one log record of severity WARN. */
export function logsOfGap({ from, to, reason, dropped }: Gap, resource: OtlpAttributes): OtlpLogs {
  const record: LogRecord = {
    timeUnixNano: nanoseconds(to),
    observedTimeUnixNano: nanoseconds(to),
    severityNumber: SEVERITY.warn,
    severityText: 'WARN',
    body: { stringValue: `events may be missing: ${reason}` },
    attributes: attributesOf({
      'client_ts.gap.from': from,
      'client_ts.gap.to': to,
      'client_ts.gap.reason': reason,
      'client_ts.gap.dropped': dropped,
    }),
  };
  const scopeLogs = [{ scope: SCOPE, logRecords: [record] }];
  return { resourceLogs: [{ resource: { attributes: attributesOf(resource) }, scopeLogs }] };
}

function resourceOf({ object }: CollectedEvent, resource: OtlpAttributes): readonly KeyValue[] {
  return attributesOf({
    ...resource,
    'k8s.object.kind': object.kind,
    'k8s.object.name': object.name,
    'k8s.object.uid': object.uid,
    'k8s.object.fieldpath': object.fieldPath,
    'k8s.object.api_version': object.apiVersion,
    'k8s.namespace.name': object.namespace,
  });
}

function recordOf(event: CollectedEvent): LogRecord {
  const isWarning = event.type === 'Warning';
  return {
    timeUnixNano: nanoseconds(event.lastSeen),
    observedTimeUnixNano: nanoseconds(event.receivedAt),
    severityNumber: isWarning ? SEVERITY.warn : SEVERITY.info,
    severityText: event.type,
    body: { stringValue: event.message },
    attributes: attributesOf({
      'k8s.event.reason': event.reason,
      'k8s.event.action': event.action,
      'k8s.event.start_time': event.firstSeen,
      'k8s.event.name': event.name,
      'k8s.event.uid': event.uid,
      'k8s.event.count': event.count,
      'k8s.namespace.name': event.namespace,
      'k8s.event.reporting_controller': event.component,
      'k8s.event.reporting_instance': event.instance,
      'log.record.uid': `${event.uid}/${event.resourceVersion}`,
    }),
  };
}

/** Leaves out what is missing or empty. */
function attributesOf(values: Readonly<Record<string, number | string | undefined>>): KeyValue[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === '') return [];
    const any = typeof value === 'number' ? { intValue: String(value) } : { stringValue: value };
    return { key, value: any };
  });
}

/** Times of events have milliseconds. */
function nanoseconds(time: string): string {
  return `${Date.parse(time)}000000`;
}
