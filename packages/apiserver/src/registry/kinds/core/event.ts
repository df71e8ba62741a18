import type * as core from 'client-ts/api/core/v1';
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
import type { Strategy, StrategyContext } from '../../strategy.ts';

type Event = Loose<core.Event>;

const LONGEST_WORD = 128;
const LONGEST_MESSAGE = 1024;
const meta = metaValidator({ namespaced: true });

/** Names of the involved object's fields, under which both groups offer them to selectors. */
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
 * Works on events as core/v1 has them, whichever group a request came through. Core takes nearly
 * anything, as it always did; events.k8s.io is strict, and tells so by `requestGroup`.
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

/** The labels that field selectors of events.k8s.io accept, which are its own names. */
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

/** What holds for every event. One with a time of its own is of the newer kind, and held to more. */
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

/** Of an event only the series may go on. */
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
