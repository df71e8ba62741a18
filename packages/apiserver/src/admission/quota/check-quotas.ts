// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go: CheckRequest
import type * as core from 'client-ts/api/core/v1';
import { type GroupResource, newForbidden } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import {
  addAmounts,
  type Amounts,
  formatAmounts,
  increaseOf,
  maskAmounts,
  parseAmounts,
} from './amounts.ts';
import {
  type Evaluator,
  isInScopes,
  type QuotaRequest,
  requirementsOf,
  type UsageContext,
} from './evaluator.ts';

type Quota = Loose<core.ResourceQuota>;

/** A write of an object that quotas may restrict. */
export interface QuotaCheck extends QuotaRequest {
  readonly resource: GroupResource;
  readonly evaluator: Evaluator;
  readonly context: UsageContext;
}

/** A quota with what will be used of it. */
export interface Charge {
  readonly quota: Quota;
  readonly used: Amounts;
}

/**
 * Returns what a write uses of each quota that applies to it. Throws a 403 if it exceeds one, or if
 * the object does not state what a quota restricts.
 */
export function checkQuotas(quotas: readonly Quota[], check: QuotaCheck): Charge[] {
  const { evaluator, object, context } = check;
  if (!evaluator.handles(check)) return [];
  const matching = quotas.filter((quota) => applies(quota, check, object));
  for (const quota of matching) checkObject(quota, check);
  const usage = evaluator.usage(object, context);
  refuseNegative(usage, check);
  return matching.flatMap((quota) => chargeFor(quota, usage, check));
}

/** Returns true if an object is in all scopes of a quota, and it limits what such objects use. */
function applies(
  { spec = {}, status }: Quota,
  { evaluator, context }: QuotaCheck,
  object: QuotaCheck['object'],
): boolean {
  const names = Object.keys(status?.hard ?? {});
  return (
    names.some((name) => evaluator.measures(name, context)) &&
    isInScopes(evaluator, requirementsOf(spec), object)
  );
}

function checkObject({ metadata, status }: Quota, check: QuotaCheck): void {
  const { evaluator, object, context } = check;
  const { name = '' } = metadata ?? {};
  const restricted = Object.keys(status?.hard ?? {})
    .filter((one) => evaluator.measures(one, context))
    .toSorted();
  const missing = evaluator.missing?.(restricted, object);
  if (missing !== undefined) throw refusal(check, `failed quota: ${name}: ${missing}`);
  if (restricted.every((one) => Object.hasOwn(status?.used ?? {}, one))) return;
  throw refusal(check, `status unknown for quota: ${name}, resources: ${restricted.join(',')}`);
}

function refuseNegative(usage: Amounts, check: QuotaCheck): void {
  const negative = [...usage].flatMap(([name, amount]) => (amount.sign < 0 ? [name] : []));
  if (negative.length === 0) return;
  const names = negative.toSorted().join(',');
  throw refusal(check, `quota usage is negative for resource(s): ${names}`);
}

function chargeFor(quota: Quota, usage: Amounts, check: QuotaCheck): Charge[] {
  const { evaluator, old, context } = check;
  const hard = parseAmounts(quota.status?.hard);
  const used = parseAmounts(quota.status?.used);
  const wasCounted = old !== undefined && applies(quota, check, old);
  const before: Amounts = wasCounted ? evaluator.usage(old, context) : new Map();
  const requested = maskAmounts(increaseOf(usage, before), (name) => hard.has(name));
  if (requested.size === 0) return [];
  const after = addAmounts(used, requested);
  const isExceeded = (name: string): boolean => {
    const limit = hard.get(name);
    return requested.has(name) && limit !== undefined && (after.get(name)?.compare(limit) ?? 0) > 0;
  };
  // A status reports what is the case already.
  if (check.subresource !== 'status' && [...requested.keys()].some(isExceeded)) {
    const [asked, taken, limited] = [requested, used, hard].map((amounts) =>
      formatAmounts(maskAmounts(amounts, isExceeded)),
    );
    const { name = '' } = quota.metadata ?? {};
    const detail = `exceeded quota: ${name}, requested: ${asked}, used: ${taken}, limited: ${limited}`;
    throw refusal(check, detail);
  }
  return [{ quota, used: after }];
}

function refusal({ resource, object }: QuotaCheck, detail: string): Error {
  return newForbidden(resource, object.metadata?.name ?? '', detail);
}
