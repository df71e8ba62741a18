// Upstream: pkg/apis/core/validation/events.go: ValidateEventCreate, ValidateEventUpdate
// Upstream: pkg/registry/core/event/strategy.go
// Upstream: pkg/apis/events/v1/conversion.go
// Upstream: pkg/printers/internalversion/printers.go: printEvent
import type * as core from 'client-ts/api/core/v1';
import type * as events from 'client-ts/api/events/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateDns1123Subdomain, validateQualifiedName } from 'client-ts/meta';
import {
  type FieldError,
  invalid,
  invalidEach,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { since, sinceMicro } from '../../printers/ages.ts';
import { column, type Printable, type Printer, printer, wide } from '../../printers/printer.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';

type Event = Loose<core.Event>;

const LONGEST_WORD = 128;
const LONGEST_MESSAGE = 1024;
const meta = metaValidator({ namespaced: true });

/** Fields of the involved object that selectors of both groups accept. */
const REFERENCE_FIELDS = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

/**
 * Rules of Events. They apply to core/v1 events, in which form both groups are stored. core/v1
 * accepts nearly anything; events.k8s.io, recognized by `requestGroup`, is strict.
 */
export const eventStrategy: Strategy<Event> = {
  validate: (event, context) =>
    isStrict(context)
      ? [...validate(event, context), ...validateNew(event)]
      : validate(event, context),
  validateUpdate: (event, old, context) =>
    isStrict(context)
      ? [...validate(event, context), ...validateFixed(event, old)]
      : validate(event, context),
  selectableFields,
  selectableFieldNames: [
    ...REFERENCE_FIELDS.map((name) => `involvedObject.${name}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
    'metadata.namespace',
    'metadata.name',
  ],
  generation: 'none',
  propagation: 'None',
  createOnUpdate: true,
};

/** Field labels that selectors of events.k8s.io accept. */
export const groupEventFieldNames: readonly string[] = [
  'reason',
  ...REFERENCE_FIELDS.map((name) => `regarding.${name}`),
  'reportingController',
  'type',
  'metadata.namespace',
  'metadata.name',
];

function isStrict({ requestGroup }: StrategyContext): boolean {
  return requestGroup === 'events.k8s.io';
}

function selectableFields(event: Event): Record<string, string> {
  const { involvedObject = {}, source, reportingComponent = '' } = event;
  const fields: Record<string, string> = {
    reason: event.reason ?? '',
    reportingComponent,
    reportingController: reportingComponent,
    source: source?.component || reportingComponent,
    type: event.type ?? '',
  };
  for (const name of REFERENCE_FIELDS) {
    const value = involvedObject[name] ?? '';
    fields[`involvedObject.${name}`] = value;
    fields[`regarding.${name}`] = value;
  }
  return fields;
}

/** Checks any event. One with an `eventTime` is of the new form and has more rules. */
function validate(event: Event, context: StrategyContext): FieldError[] {
  const namespace = event.metadata?.namespace ?? '';
  const findings =
    event.eventTime === undefined
      ? validateOld(event, namespace)
      : validateWithTime(event, namespace, isStrict(context));
  return [...findings, ...invalidEach('namespace', namespace, validateDns1123Subdomain(namespace))];
}

function validateOld({ involvedObject = {} }: Event, namespace: string): FieldError[] {
  const { namespace: involved = '' } = involvedObject;
  const matches =
    involved === '' ? namespace === '' || namespace === 'default' : involved === namespace;
  return matches ? [] : [namespaceMismatch(involved)];
}

function namespaceMismatch(involved: string): FieldError {
  return invalid('involvedObject.namespace', involved, 'does not match event.namespace');
}

function validateWithTime(event: Event, namespace: string, isGroup: boolean): FieldError[] {
  const { namespace: involved = '' } = event.involvedObject ?? {};
  const controller = event.reportingComponent ?? '';
  const controllerField = isGroup ? 'reportingController' : 'reportingComponent';
  const isOutside = involved === '' && !['default', 'kube-system'].includes(namespace);
  return [
    ...(isOutside ? [namespaceMismatch(involved)] : []),
    ...(controller === '' ? [required(controllerField)] : []),
    ...invalidEach(controllerField, controller, validateQualifiedName(controller)),
    ...validateWord(event.reportingInstance, 'reportingInstance'),
    ...validateWord(event.action, 'action'),
    ...validateWord(event.reason, 'reason'),
    ...validateLength(event.message, LONGEST_MESSAGE, 'message'),
  ];
}

function validateWord(value: string | undefined, field: string): FieldError[] {
  return (value ?? '') === '' ? [required(field)] : validateLength(value, LONGEST_WORD, field);
}

function validateLength(value: string | undefined, limit: number, field: string): FieldError[] {
  return Buffer.byteLength(value ?? '') > limit
    ? [invalid(field, '', `can have at most ${limit} characters`)]
    : [];
}

function validateNew(event: Event): FieldError[] {
  const { type = '', source } = event;
  const unset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [invalid(field, '', 'needs to be unset')] : [];
  return [
    ...meta.create(event),
    ...validateSeries(event),
    ...(event.eventTime === undefined ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', event.firstTimestamp !== undefined),
    ...unset('lastTimestamp', event.lastTimestamp !== undefined),
    ...unset('count', (event.count ?? 0) !== 0),
    ...unset('source', (source?.component ?? '') !== '' || (source?.host ?? '') !== ''),
  ];
}

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime === undefined ? [required('series.lastObservedTime')] : []),
  ];
}

/** Checks that an update changes only the series. */
function validateFixed(event: Event, old: Event): FieldError[] {
  const same = (field: keyof Event & string, empty: unknown, shown: string = field): FieldError[] =>
    immutable(event[field] ?? empty, old[field] ?? empty, shown);
  return [
    ...meta.update(event, old),
    ...(jsonEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...same('involvedObject', {}),
    ...same('reason', ''),
    ...same('message', ''),
    ...same('source', {}),
    ...same('firstTimestamp', null),
    ...same('lastTimestamp', null),
    ...same('count', 0),
    ...same('reason', ''),
    ...same('type', ''),
    ...same('eventTime', null),
    ...same('action', ''),
    ...same('related', null),
    ...same('reportingComponent', '', 'reportingController'),
    ...same('reportingInstance', ''),
  ];
}

/*
 * core/v1 and events.k8s.io/v1 have the same fields under different names. Events are stored as
 * core/v1.
 */

type GroupEvent = Loose<events.Event>;

/** Field names in events.k8s.io/v1 and core/v1. */
const RENAMED = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
] as const;

/** Converts an event of events.k8s.io/v1 to core/v1. Shares nested objects with the argument. */
export function eventToCore(event: GroupEvent): Event {
  const { apiVersion: _, ...rest } = event;
  return { ...rename(rest, RENAMED), apiVersion: 'v1', kind: 'Event' };
}

/** Converts an event of core/v1 to events.k8s.io/v1. Shares nested objects with the argument. */
export function eventFromCore(event: Event): GroupEvent {
  const { apiVersion: _, ...rest } = event;
  const names = RENAMED.map(([group, name]) => [name, group] as const);
  return { ...rename(rest, names), apiVersion: 'events.k8s.io/v1', kind: 'Event' };
}

function rename(
  object: object,
  names: readonly (readonly [from: string, to: string])[],
): Record<string, unknown> {
  const newNames = new Map(names);
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [newNames.get(name) ?? name, value]),
  );
}

/** The table of Events of both groups, printed from core/v1. */
export const eventPrinter: Printer<Printable<Event>> = printer([
  column('Last Seen', 'Time since the last occurrence', lastSeen),
  column('Type', 'Normal or Warning', ({ type }) => type ?? ''),
  column('Reason', 'Reason of the event', ({ reason }) => reason ?? ''),
  column('Object', 'Kind and name of the involved object', formatObject),
  column(
    'Subobject',
    'Field path in the involved object',
    ({ involvedObject }) => involvedObject?.fieldPath ?? '',
    wide,
  ),
  column('Source', 'Component and host that reported the event', formatSource, wide),
  column('Message', 'Description of the event', ({ message }) => (message ?? '').trim()),
  column('First Seen', 'Time since the first occurrence', firstSeen, wide),
  column('Count', 'Number of occurrences', countOf, wide),
  column('Name', 'Name of the event', ({ metadata }) => metadata?.name ?? '', {
    ...wide,
    format: 'name',
  }),
]);

function firstSeen({ firstTimestamp, eventTime }: Printable<Event>, now: number): string {
  return isSet(firstTimestamp) ? since(firstTimestamp, now) : sinceMicro(eventTime, now);
}

function lastSeen(event: Printable<Event>, now: number): string {
  const { series, lastTimestamp } = event;
  if (isSet(series)) return sinceMicro(series.lastObservedTime, now);
  return isSet(lastTimestamp) ? since(lastTimestamp, now) : firstSeen(event, now);
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** An event that occurred once may omit the count. */
function countOf({ series, count }: Printable<Event>): number {
  if (isSet(series)) return series.count ?? 0;
  return isSet(count) && count !== 0 ? count : 1;
}

function formatObject({ involvedObject }: Printable<Event>): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  const name = involvedObject?.name ?? '';
  return name === '' ? kind : `${kind}/${name}`;
}

/** The deprecated source takes precedence. */
function formatSource({ source, reportingComponent, reportingInstance }: Printable<Event>): string {
  const component = firstText(source?.component, reportingComponent);
  const instance = firstText(source?.host, reportingInstance);
  return instance === '' ? component : `${component}, ${instance}`;
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
