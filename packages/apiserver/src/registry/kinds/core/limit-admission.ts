import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import { newForbidden, parseQuantity, type Quantity } from 'client-ts/meta';
import type { Loose } from '../../../validation/loose.ts';
import { effectiveTotals } from '../../../validation/pod/resources.ts';
import { quantityText } from '../../../validation/quantities.ts';
import type { StrategyContext } from '../../strategy.ts';

/* What the LimitRanges of a namespace do to its pods and claims. */

type Pod = Loose<core.Pod>;
type PodSpec = Loose<core.PodSpec>;
type Claim = Loose<core.PersistentVolumeClaim>;
type Container = Loose<core.Container>;
type Limit = Loose<core.LimitRangeItem>;
type Amounts = Readonly<Record<string, Quantity>>;

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Gives containers what they did not ask for, and notes it in an annotation. */
export function addDefaultResources(pod: Pod, context: StrategyContext): void {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  for (const limits of limitRangesOf(context)) {
    const own = limits.filter(({ type }) => type === 'Container');
    const defaults = {
      requests: together(own.map((limit) => limit.defaultRequest)),
      limits: together(own.map((limit) => limit.default)),
    };
    const notes = [
      ...containers.flatMap((container) => fill(container, defaults, 'container')),
      ...initContainers.flatMap((container) => fill(container, defaults, 'init container')),
    ];
    if (notes.length === 0) continue;
    const metadata = (pod.metadata ??= {});
    const text = `LimitRanger plugin set: ${notes.join('; ')}`;
    metadata.annotations = { ...metadata.annotations, [ANNOTATION]: text };
  }
}

/** All amounts in one map; the last one of a resource counts. */
function together(lists: readonly (Amounts | undefined)[]): Amounts {
  return Object.fromEntries(lists.flatMap((amounts) => Object.entries(amounts ?? {})));
}

function limitRangesOf({ list, namespace }: StrategyContext): Limit[][] {
  return [...list('', 'limitranges', namespace)].map(
    (object) => (object as Loose<core.LimitRange>).spec?.limits ?? [],
  );
}

function fill(
  container: Container,
  defaults: Readonly<Record<'limits' | 'requests', Amounts>>,
  what: string,
): string[] {
  return (['requests', 'limits'] as const).flatMap((part) => {
    const present = container.resources?.[part] ?? {};
    const missing = Object.entries(defaults[part]).filter(
      ([name]) => !Object.hasOwn(present, name),
    );
    if (missing.length === 0) return [];
    (container.resources ??= {})[part] = { ...present, ...Object.fromEntries(missing) };
    const names = missing.map(([name]) => name).toSorted();
    return [`${names.join(', ')} ${part.slice(0, -1)} for ${what} ${container.name ?? ''}`];
  });
}

/** Refuses a pod that asks for too much or too little. */
export function checkPodLimits(pod: Pod, context: StrategyContext): void {
  const { spec = {} } = pod;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const limits of limitRangesOf(context)) {
    const problems = limits.flatMap((limit) => {
      if (limit.type === 'Container') {
        return containers.flatMap(({ resources }) =>
          problemsOf(limit, resources?.requests ?? {}, resources?.limits ?? {}),
        );
      }
      if (limit.type !== 'Pod') return [];
      return problemsOf(limit, podTotals(spec, 'requests'), podTotals(spec, 'limits'));
    });
    refuse('pods', pod.metadata?.name, problems);
  }
}

function podTotals(spec: PodSpec, part: 'limits' | 'requests'): Amounts {
  const { cpu, memory } = spec.resources?.[part] ?? {};
  return {
    ...effectiveTotals(spec, part),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}

/** Refuses a claim to too much or too little storage. */
export function checkClaimLimits(claim: Claim, context: StrategyContext): void {
  const requests = claim.spec?.resources?.requests ?? {};
  for (const limits of limitRangesOf(context)) {
    const problems = limits
      .filter(({ type }) => type === 'PersistentVolumeClaim')
      .flatMap((limit) => [
        ...each(limit.min, (name, least) => belowMinimum(limit, name, least, requests, {})),
        ...each(limit.max, (name, most) =>
          aboveMaximum(limit, name, most, [['request', getKey(requests, name)]]),
        ),
      ]);
    refuse('persistentvolumeclaims', claim.metadata?.name, problems);
  }
}

function refuse(resource: string, name: string | undefined, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const unique = [...new Set(problems)];
  const detail = unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
  throw newForbidden({ group: '', resource }, name ?? '', detail);
}

function problemsOf(limit: Limit, requests: Amounts, limits: Amounts): string[] {
  return [
    ...each(limit.min, (name, least) => belowMinimum(limit, name, least, requests, limits)),
    ...each(limit.max, (name, most) =>
      aboveMaximum(limit, name, most, [
        ['limit', getKey(limits, name)],
        ['request', getKey(requests, name)],
      ]),
    ),
    ...each(limit.maxLimitRequestRatio, (name, ratio) =>
      aboveRatio(limit, name, ratio, getKey(requests, name), getKey(limits, name)),
    ),
  ];
}

function each(
  amounts: Amounts | undefined,
  problemOf: (name: string, amount: Quantity) => string | undefined,
): string[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => problemOf(name, amount) ?? []);
}

function milli(quantity: Quantity): bigint {
  return parseQuantity(quantity).milliValue();
}

function belowMinimum(
  { type = '' }: Limit,
  name: string,
  least: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${quantityText(least)}`;
  const request = getKey(requests, name);
  const limit = getKey(limits, name);
  if (request === undefined) return `${rule}.  No request is specified`;
  if (milli(request) < milli(least)) return `${rule}, but request is ${quantityText(request)}`;
  return limit !== undefined && milli(limit) < milli(least)
    ? `${rule}, but limit is ${quantityText(limit)}`
    : undefined;
}

/** The first of the amounts has to be there. */
function aboveMaximum(
  { type = '' }: Limit,
  name: string,
  most: Quantity,
  amounts: readonly (readonly [what: string, amount: Quantity | undefined])[],
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${quantityText(most)}`;
  const [[first, needed] = ['limit', undefined]] = amounts;
  if (needed === undefined) return `${rule}.  No ${first} is specified`;
  for (const [what, amount] of amounts) {
    if (amount === undefined || milli(amount) <= milli(most)) continue;
    return `${rule}, but ${what} is ${quantityText(amount)}`;
  }
  return undefined;
}

function aboveRatio(
  { type = '' }: Limit,
  name: string,
  most: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${quantityText(most)}`;
  for (const [what, amount] of [
    ['request', request],
    ['limit', limit],
  ] as const) {
    if (amount !== undefined && milli(amount) !== 0n) continue;
    return `${rule}, but no ${what} is specified or ${what} is 0`;
  }
  const ratio = Number(milli(limit ?? '0')) / Number(milli(request ?? '1'));
  return ratio * 1000 > Number(milli(most))
    ? `${rule}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}
