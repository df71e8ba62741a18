import type { JsonObject } from 'client-ts/internal';
import { apiVersionOf, formatTime } from 'client-ts/meta';
import {
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
} from '../auth/reviews.ts';
import type { ApiResponse } from '../http.ts';
import { canonicalObject } from '../schema/decode.ts';
import { admitObject } from './admission.ts';
import { readObject } from './body.ts';
import { type ResourceExchange, respond } from './exchange.ts';
import { trackUpdate } from './managed-fields.ts';
import { negotiateFor } from './respond.ts';
import { bodyTypeOf } from './served-body.ts';
import { parseWriteOptions } from './write-options.ts';

/** Answers a review; nothing is stored. The object is of the resource's kind. */
type Review = (object: never, exchange: ResourceExchange) => object;

const REVIEWS: ReadonlyMap<string, Review> = new Map<string, Review>([
  [
    'selfsubjectaccessreviews',
    (object, { user, core }): object => reviewSelfSubjectAccess(object, user, core.policy),
  ],
  [
    'selfsubjectrulesreviews',
    (object, { user, core }): object => reviewSelfSubjectRules(object, user, core.policy),
  ],
  ['subjectaccessreviews', (object, { core }): object => reviewSubjectAccess(object, core.policy)],
  [
    'localsubjectaccessreviews',
    (object, { core, info }): object =>
      reviewLocalSubjectAccess(object, info.namespace, core.policy),
  ],
  [
    'selfsubjectreviews',
    (_object, { user, core }): object => reviewSelfSubject(user, formatTime(core.clock.now())),
  ],
  ['tokenreviews', (object, { core }): object => reviewToken(object, core.tokenAuthenticators)],
]);

/** True for resources that are only created, and answered instead of stored. */
export function isReview({ served }: ResourceExchange): boolean {
  return REVIEWS.has(served.info.resource);
}

/** POST of a review. */
export async function createReview(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const representation = negotiateFor(exchange, []);
  const options = parseWriteOptions('CreateOptions', info.query);
  const type = bodyTypeOf(served);
  const object = await readObject(exchange, type, options.fieldValidation);
  trackUpdate(exchange, options, undefined, object);
  const admitted = await admitObject(exchange, { dryRun: options.dryRun, type }, object);
  const review = REVIEWS.get(served.info.resource) as Review;
  const answer = review(admitted as never, exchange) as JsonObject;
  const { kind, schema } = served.info;
  const canonical = canonicalObject(schema, answer);
  return respond(
    exchange,
    201,
    { ...canonical, kind, apiVersion: apiVersionOf(served.info) },
    representation,
  );
}
