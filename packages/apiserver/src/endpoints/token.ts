import type { ServiceAccount } from 'client-ts/api/core/v1';
import { apiVersionOf } from 'client-ts/meta';
import { DEFAULT_AUDIENCE } from '../auth/tokens.ts';
import type { ApiResponse } from '../http.ts';
import { issueToken } from '../registry/kinds/core/service-account-token.ts';
import { dropNulls } from '../registry/kinds/support.ts';
import { canonicalObject } from '../schema/decode.ts';
import { loadModel } from '../schema/model.ts';
import type { Schema } from '../schema/schema.ts';
import { readObject } from './body.ts';
import { type ResourceExchange, respond } from './exchange.ts';
import { negotiateFor } from './respond.ts';
import { withStrategyContext } from './strategy-context.ts';
import { parseWriteOptions } from './write-options.ts';

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** `POST serviceaccounts/x/token`: a signed token that speaks for the service account. */
export async function createToken(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, core, served } = exchange;
  const representation = negotiateFor(exchange, []);
  const { dryRun, fieldValidation } = parseWriteOptions('CreateOptions', info.query);
  const schema = loadModel().schemaFor(KIND) as Schema;
  const request = await readObject(exchange, { ...KIND, schema }, fieldValidation);
  // Fields that are always written come as null when nobody set them.
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
