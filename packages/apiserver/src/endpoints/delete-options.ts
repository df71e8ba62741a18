import { type DeleteOptions, newBadRequest } from 'client-ts/meta';

import { decodeTyped, DecodeError } from '../schema/decode.ts';
import type { JsonNode } from '../schema/json-parser.ts';
import { loadModel } from '../schema/model.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldError, invalid, notSupported } from '../validation/field-error.ts';
import type { Exchange } from './exchange.ts';
import { MalformedBodyError, parseBody, requestEncoding, typeMetaOf } from './parse-body.ts';
import { isTrue, parseInteger } from './query.ts';
import { checkDryRun, refuseOptions } from './write-options.ts';

/** The options of a DELETE. A body, even an empty object, makes the server ignore the query. */
export async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const options = (await readBody(exchange)) ?? deleteOptionsFromQuery(exchange.info.query);
  checkDeleteOptions(options);
  return options;
}

const KIND = { group: '', version: 'v1', kind: 'DeleteOptions' };

/** Undefined if there is no body. */
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
  const schema = loadModel().schemaById(DELETE_OPTIONS) as Schema;
  try {
    return decodeTyped(schema, node).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw newBadRequest(error.message);
  }
}

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** For a request without a body. */
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

/** Checks delete options wherever they came from; throws the server's 422. */
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
