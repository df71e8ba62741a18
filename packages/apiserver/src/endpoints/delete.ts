import { type DeleteOptions, newBadRequest, type Status } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import type { DeleteResult } from '../registry/registry.ts';
import { loadedView, viewOf } from '../registry/served-resource.ts';
import { DecodeError, decodeTyped } from '../schema/decode.ts';
import type { JsonNode } from '../schema/json-parser.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';
import { type FieldError, invalid, notSupported } from '../validation/field-error.ts';
import { admittedWrite } from './admission.ts';
import { type Exchange, type ResourceExchange, respond } from './exchange.ts';
import { parseListOptions } from './list-options.ts';
import { MalformedBodyError, parseBody, requestEncoding, typeMetaOf } from './parse-body.ts';
import { isTrue, parseInteger } from './query.ts';
import { negotiateFor, respondWithList, respondWithObject } from './respond.ts';
import { selectEntries } from './snapshot.ts';
import { includeObjectOf } from './table.ts';
import { checkDryRun, refuseOptions } from './write-options.ts';

/** DELETE of one object. */
export async function deleteObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = await readDeleteOptions(exchange);
  const result = await deleteOne(exchange, info.namespace, info.name, options);
  const view = (await loadedView(served, result.value)) as StoredObject;
  const showsObject =
    result.kind === 'kept' || served.registry.strategy.deleteReturnsObject === true;
  if (showsObject) return respondWithObject(exchange, 200, view, representation);
  // The response is a Status, but `includeObject` is validated all the same.
  if (representation.projection === 'Table') includeObjectOf(info.query);
  return respond(exchange, 200, deletedStatus(exchange, view), representation);
}

/**
 * DELETE of a collection: deletes what the selectors match and returns the objects as they were.
 */
export async function deleteCollection(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange);
  const options = await readDeleteOptions(exchange);
  const listOptions = parseListOptions(info.query, false);
  const { entries, metadata } = await selectEntries(exchange, listOptions);
  for (const { value } of entries) {
    const { namespace = '', name = '' } = value.metadata ?? {};
    if (served.registry.find(namespace, name) === undefined) continue;
    await deleteOne(exchange, namespace, name, options);
  }
  const objects = entries.map(({ value }) => viewOf(served, value) as StoredObject);
  return await respondWithList(exchange, objects, metadata, representation);
}

async function deleteOne(
  exchange: ResourceExchange,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult> {
  const { served, info } = exchange;
  const request = {
    dryRun: (options.dryRun ?? []).length > 0,
    name: info.name,
    target: { namespace, name },
    deleteOptions: options,
  };
  return await admittedWrite(exchange, request, (context) => {
    const pending = served.registry.prepareDelete(namespace, name, options, context);
    return {
      operation: 'DELETE',
      object: undefined,
      old: pending.old && viewOf(served, pending.old),
      prepare: () => pending,
    };
  });
}

function deletedStatus({ served }: ResourceExchange, object: StoredObject): Status {
  const { group, resource } = served.info;
  const { name = '', uid = '' } = object.metadata ?? {};
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group !== '' && { group }), kind: resource, uid },
  };
}

/** Returns the options of a DELETE. With a body, even an empty object, the query is ignored. */
async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const options = (await readBody(exchange)) ?? deleteOptionsFromQuery(exchange.info.query);
  checkDeleteOptions(options);
  return options;
}

const KIND = { group: '', version: 'v1', kind: 'DeleteOptions' };

/** Returns undefined without a body. */
async function readBody(exchange: Exchange): Promise<DeleteOptions | undefined> {
  const body = await exchange.request.body();
  if (body.length === 0) return undefined;
  const encoding = requestEncoding(exchange, ['json', 'yaml', 'protobuf']);
  let node: JsonNode;
  try {
    ({ node } = parseBody(body, encoding, KIND));
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw newBadRequest(error.message);
  }
  const { kind, apiVersion } = typeMetaOf(node);
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw newBadRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} ` +
        'in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"',
    );
  }
  const schema = exchange.core.catalog.model.schemaById(DELETE_OPTIONS) as Schema;
  try {
    return decodeTyped(schema, node).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw newBadRequest(error.message);
  }
}

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Reads the options of a request without a body. */
function deleteOptionsFromQuery(query: URLSearchParams): DeleteOptions {
  const options: DeleteOptions = {};
  const grace = parseInteger(query.get('gracePeriodSeconds'));
  if (grace !== undefined) options.gracePeriodSeconds = grace;
  if (query.has('propagationPolicy')) {
    options.propagationPolicy = query.get('propagationPolicy') ?? '';
  }
  if (query.has('orphanDependents')) {
    options.orphanDependents = isTrue(query.get('orphanDependents'));
  }
  const dryRun = query.getAll('dryRun');
  if (dryRun.length > 0) options.dryRun = dryRun;
  return options;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Validates delete options; throws a 422. */
export function checkDeleteOptions(options: DeleteOptions): void {
  const findings: FieldError[] = [];
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = options;
  if (policy !== undefined && orphanDependents !== undefined) {
    findings.push(
      invalid(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (policy !== undefined && !POLICIES.includes(policy)) {
    findings.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  }
  findings.push(...checkDryRun(dryRun));
  refuseOptions('DeleteOptions', findings);
}
