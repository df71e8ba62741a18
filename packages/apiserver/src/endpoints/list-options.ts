import {
  ApiError,
  type FieldMatcher,
  type LabelMatcher,
  type Labels,
  newBadRequest,
  newUnknownError,
  parseFieldSelector,
  parseLabelSelector,
} from 'client-ts/meta';

import { type ServedResource, viewOf } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import {
  type FieldError,
  forbidden,
  invalidObject,
  notSupported,
} from '../validation/field-error.ts';
import { isTrue, parseInteger, versionProblem } from './query.ts';

export type VersionMatch = '' | 'Exact' | 'NotOlderThan';

/** The validated query of a list, watch or deletecollection. */
export interface ListOptions {
  readonly watch: boolean;
  readonly labelSelector: LabelMatcher;
  readonly fieldSelector: FieldMatcher;
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: VersionMatch;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** Parses list options; throws the 400 or 422 of a real server. */
export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const limit = parseInteger(query.get('limit')) ?? 0;
  const timeoutSeconds = parseInteger(query.get('timeoutSeconds'));
  const sendInitialEvents = query.has('sendInitialEvents')
    ? isTrue(query.get('sendInitialEvents'))
    : undefined;
  const options: ListOptions = {
    watch,
    labelSelector: badRequest(() => parseLabelSelector(query.get('labelSelector') ?? '')),
    fieldSelector: badRequest(() => parseFieldSelector(query.get('fieldSelector') ?? '')),
    limit,
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: (query.get('resourceVersionMatch') ?? '') as VersionMatch,
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents,
    timeoutSeconds,
  };
  const findings = watch ? checkWatch(options) : checkList(options);
  if (findings.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', findings);
  }
  return options;
}

/** Parses a resourceVersion; undefined if empty. Throws a 500, like a real server. */
export function parseResourceVersion(text: string): number | undefined {
  return parseVersion(text, newUnknownError);
}

/** The same for a list, where a real server answers 400. */
export function parseListResourceVersion(text: string): number | undefined {
  return parseVersion(text, (message) => newBadRequest(`invalid resource version: ${message}`));
}

function parseVersion(text: string, refuse: (message: string) => ApiError): number | undefined {
  if (text === '') return undefined;
  const problem = versionProblem(text);
  if (problem === undefined) return Number(text);
  throw refuse(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`);
}

function badRequest<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw newBadRequest((error as Error).message);
  }
}

const MATCH = 'resourceVersionMatch';

function checkList({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const findings: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      findings.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (continueToken !== '') {
      findings.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      findings.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      findings.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (sendInitialEvents !== undefined) {
    findings.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return findings;
}

function checkWatch({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const findings: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    findings.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match !== '' && sendInitialEvents === undefined) {
    findings.push(
      forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`),
    );
  }
  if (match !== '' && match !== 'NotOlderThan') {
    findings.push(notSupported(MATCH, match, ['NotOlderThan']));
  }
  // A watch without a version counts as one that requests initial events with a match.
  const isFromAnywhere = resourceVersion === '' || resourceVersion === '0';
  const hasMatch = match !== '' || (isFromAnywhere && sendInitialEvents === undefined);
  if (hasMatch && continueToken !== '') {
    findings.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
  }
  return findings;
}

/** Returns whether a list or watch includes a stored object. */
export type Predicate = (object: StoredObject) => boolean;

const COMMON_FIELDS = ['metadata.name', 'metadata.namespace'];

/** Builds the filter of a list; throws a 400 for fields that the kind does not support. */
export function buildPredicate(
  served: ServedResource,
  labels: LabelMatcher,
  fields: FieldMatcher,
): Predicate {
  checkFields(served, fields);
  if (fields.isEmpty) {
    return labels.isEmpty ? () => true : (object) => labels.matches(labelsOf(served, object));
  }
  return (object) =>
    labels.matches(labelsOf(served, object)) && fields.matches(fieldsOf(served, object));
}

/** A conversion webhook may change labels. */
function labelsOf(served: ServedResource, stored: StoredObject): Labels {
  const object = served.conversion?.usesWebhook === true ? viewOf(served, stored) : stored;
  return object.metadata?.labels ?? {};
}

function fieldsOf(served: ServedResource, stored: StoredObject): Readonly<Record<string, string>> {
  const { selectableFields } = served.registry.strategy;
  // A custom resource is matched in its version: with defaults and without pruned fields.
  const object = served.info.crd === undefined ? stored : viewOf(served, stored);
  return {
    'metadata.name': stored.metadata?.name ?? '',
    'metadata.namespace': stored.metadata?.namespace ?? '',
    ...selectableFields?.(object as Parameters<typeof selectableFields>[0]),
  };
}

function checkFields({ fieldLabels }: ServedResource, fields: FieldMatcher): void {
  for (const { field } of fields.requirements) {
    if ((fieldLabels ?? COMMON_FIELDS).includes(field)) continue;
    const known = COMMON_FIELDS.map((name) => JSON.stringify(name)).join(', ');
    throw newBadRequest(
      fieldLabels === undefined
        ? `${JSON.stringify(field)} is not a known field selector: only ${known}`
        : `field label not supported: ${field}`,
    );
  }
}
