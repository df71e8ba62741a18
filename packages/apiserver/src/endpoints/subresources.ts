import type { ServiceAccount } from 'client-ts/api/core/v1';
import { apiVersionOf, newNotFound } from 'client-ts/meta';

import { DEFAULT_AUDIENCE } from '../auth/tokens.ts';
import type { ApiResponse } from '../http.ts';
import { issueToken, setTokenDefaults } from '../registry/kinds/core/service-account-token.ts';
import { dropNulls } from '../registry/kinds/support.ts';
import { loadedView } from '../registry/served-resource.ts';
import { canonicalObject } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import { admitObject } from './admission.ts';
import { readObject } from './body.ts';
import { type ResourceExchange, respond, withStrategyContext } from './exchange.ts';
import { admitConnect } from './connect.ts';
import { methodNotAllowed, resourceNotFound } from './failures.ts';
import { patchObject } from './patch.ts';
import { log } from './pod-log.ts';
import { stream } from './pod-streams.ts';
import { bind, evict } from './pod-subresources.ts';
import { proxy } from './proxy.ts';
import { managedFieldsOf } from './managed-fields.ts';
import { negotiateFor, respondWithObject } from './respond.ts';
import { scale } from './scale.ts';
import { parseWriteOptions } from './write-options.ts';
import { updateObject } from './write.ts';

type SubresourceHandler = (exchange: ResourceExchange) => ApiResponse | Promise<ApiResponse>;

/** The handlers of subresources by name; the model has their verbs. */
const HANDLERS: ReadonlyMap<string, SubresourceHandler> = new Map<string, SubresourceHandler>([
  ['approval', partOf],
  ['attach', stream],
  ['binding', bind],
  ['ephemeralcontainers', partOf],
  ['eviction', evict],
  ['exec', stream],
  ['finalize', partOf],
  ['log', log],
  ['portforward', stream],
  ['proxy', proxy],
  ['resize', partOf],
  ['scale', scale],
  ['status', partOf],
  ['token', createToken],
]);

/** Handles a request to a subresource: `/status`, `/scale`, `/binding` … */
export async function handleSubresource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served, request } = exchange;
  const subresource = served.info.subresources.find(({ name }) => name === info.subresource);
  const handle = HANDLERS.get(info.subresource);
  if (subresource === undefined || handle === undefined) {
    // A real server looks for an object with this name.
    if (served.info.crd !== undefined) throw newNotFound(served.info, info.name);
    throw resourceNotFound();
  }
  const isCustom = served.info.crd !== undefined;
  const isRightMethod = isCustom || request.method !== 'HEAD';
  const isAllowed = subresource.verbs.includes(info.verb) && isRightMethod;
  // A proxy accepts every method.
  if (!isAllowed && info.subresource !== 'proxy') throw methodNotAllowed();
  await admitConnect(exchange);
  return await handle(exchange);
}

/** Subresources that show the whole object and update a part of it. */
async function partOf(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const part = info.subresource;
  switch (info.verb) {
    case 'update':
      return await updateObject(exchange, { part });
    case 'patch':
      return await patchObject(exchange, { part });
    default: {
      const representation = negotiateFor(exchange);
      const { value } = served.registry.get(info.namespace, info.name);
      return respondWithObject(exchange, 200, await loadedView(served, value), representation);
    }
  }
}

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** `POST serviceaccounts/x/token`: issues a signed token for the service account. */
export async function createToken(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, core, served } = exchange;
  const representation = negotiateFor(exchange, []);
  const options = parseWriteOptions('CreateOptions', info.query);
  const { dryRun, fieldValidation } = options;
  const schema = core.catalog.model.schemaFor(KIND) as Schema;
  const type = { ...KIND, schema };
  const sent = await readObject(exchange, type, fieldValidation);
  setTokenDefaults(sent);
  const managedFields = managedFieldsOf(exchange, options, type, sent);
  if (managedFields !== undefined) sent.metadata.managedFields = managedFields;
  const request = await admitObject(exchange, { dryRun, type }, sent);
  // Fields that are always written are null if not set.
  dropNulls(request);
  const issue = await core.serviceAccountTokens.issuer();
  const { value } = served.registry.get(info.namespace, info.name);
  const answer = withStrategyContext(exchange, dryRun, (context) =>
    issueToken(value as ServiceAccount, request, {
      clock: core.clock,
      audiences: [DEFAULT_AUDIENCE],
      lookup: (resource, namespace, name) => context.lookup('', resource, namespace, name),
      issue,
    }),
  );
  const canonical = canonicalObject(schema, answer);
  const whole = { ...canonical, kind: KIND.kind, apiVersion: apiVersionOf(KIND) };
  return respond(exchange, 201, whole, representation);
}
