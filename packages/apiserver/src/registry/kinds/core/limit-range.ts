// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_LimitRangeItem
// Upstream: pkg/apis/core/validation/validation.go: ValidateLimitRange
// Upstream: pkg/registry/core/limitrange/strategy.go
// Upstream: plugin/pkg/admission/limitranger/admission.go
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import {
  compareQuantities,
  newForbidden,
  parseQuantity,
  type Quantity,
  validateQualifiedName,
} from 'client-ts/meta';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import { effectiveTotals } from '../../../validation/pod/resources.ts';
import {
  isOvercommitAllowed,
  quantityText,
  validateContainerResourceName,
  validateResourceName,
} from '../../../validation/resources.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { roundResources } from '../support.ts';

type LimitRange = Loose<core.LimitRange>;
type LimitRangeItem = Loose<core.LimitRangeItem>;
type Amounts = Readonly<Record<string, Quantity>>;

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const meta = metaValidator({ namespaced: true });

/** Rules of LimitRanges. */
export const limitRangeStrategy: Strategy<LimitRange> = {
  setDefaults: ({ spec }) => {
    for (const item of spec?.limits ?? []) {
      const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
      for (const name of lists) roundResources(item[name]);
      if (item.type === 'Container') setItemDefaults(item);
    }
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
  generation: 'none',
  createOnUpdate: true,
};

/** Derives the defaults of a container limit from its other amounts. */
function setItemDefaults(item: LimitRangeItem): void {
  const limits: Record<string, Quantity> = { ...item.max, ...item.default };
  const requests: Record<string, Quantity> = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

function validateLimitRange(object: LimitRange): FieldError[] {
  const limits = object.spec?.limits ?? [];
  return [
    ...meta.create(object),
    ...limits.flatMap((item, index) => {
      const field = `spec.limits[${index}]`;
      const { type = '' } = item;
      const isRepeated = limits.slice(0, index).some((other) => (other.type ?? '') === type);
      return [
        ...validateType(type, `${field}.type`),
        ...(isRepeated ? [duplicate(`${field}.type`, type)] : []),
        ...validateItem(item, field),
      ];
    }),
  ];
}

function validateType(type: string, field: string): FieldError[] {
  const errors = invalidEach(field, type, validateQualifiedName(type));
  if (errors.length > 0 || type.includes('/') || TYPES.includes(type)) return errors;
  return [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, field: string): FieldError[] {
  const { type, max = {}, min = {}, maxLimitRequestRatio = {} } = item;
  const isPod = type === 'Pod';
  const names = (list: Amounts, name: string): FieldError[] =>
    Object.keys(list).flatMap((resource) => {
      const path = `${field}.${name}[${resource}]`;
      return isPod || type === 'Container'
        ? validateContainerResourceName(resource, path)
        : validateResourceName(resource, path);
    });
  const defaults = (['default', 'defaultRequest'] as const).flatMap((name) => {
    const list = item[name] ?? {};
    if (!isPod) return names(list, name);
    return Object.keys(list).length > 0
      ? [forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'")]
      : [];
  });
  const lacksStorage = min['storage'] === undefined && max['storage'] === undefined;
  const resources = new Set([
    ...Object.keys(max),
    ...Object.keys(min),
    ...(isPod ? [] : Object.keys({ ...item.default, ...item.defaultRequest })),
    ...Object.keys(maxLimitRequestRatio),
  ]);
  return [
    ...names(max, 'max'),
    ...names(min, 'min'),
    ...defaults,
    ...(type === 'PersistentVolumeClaim' && lacksStorage
      ? [
          required(
            `${field}.limits`,
            'either minimum or maximum storage value is required, but neither was provided',
          ),
        ]
      : []),
    ...names(maxLimitRequestRatio, 'maxLimitRequestRatio'),
    ...[...resources].flatMap((resource) => validateAmounts(item, resource, field)),
  ];
}

/** Checks the amounts of one resource against each other. */
function validateAmounts(item: LimitRangeItem, resource: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const min = getKey(item.min ?? {}, resource);
  const max = getKey(item.max ?? {}, resource);
  const isPod = item.type === 'Pod';
  const limit = isPod ? undefined : getKey(item.default ?? {}, resource);
  const request = isPod ? undefined : getKey(item.defaultRequest ?? {}, resource);

  const inOrder = (
    [less, lessName]: readonly [Quantity | undefined, string],
    [more, moreName]: readonly [Quantity | undefined, string],
    [shown, name]: readonly [Quantity | undefined, string],
  ): void => {
    if (less === undefined || more === undefined || compareQuantities(less, more) <= 0) return;
    const detail = `${lessName} value ${quantityText(less)} is greater than ${moreName} value ${quantityText(more)}`;
    errors.push(invalid(`${field}.${name}[${resource}]`, quantityText(shown ?? less), detail));
  };
  inOrder([min, 'min'], [max, 'max'], [min, 'min']);
  inOrder([min, 'min'], [request, 'default request'], [request, 'defaultRequest']);
  inOrder([request, 'default request'], [max, 'max'], [request, 'defaultRequest']);
  inOrder([request, 'default request'], [limit, 'default limit'], [request, 'defaultRequest']);
  inOrder([min, 'min'], [limit, 'default'], [min, 'default']);
  inOrder([limit, 'default'], [max, 'max'], [max, 'default']);
  errors.push(...validateRatio(item, resource, field));
  if (limit !== undefined && request !== undefined && !isOvercommitAllowed(resource)) {
    if (compareQuantities(limit, request) !== 0) {
      const detail = `default value ${quantityText(limit)} must equal to defaultRequest value ${quantityText(request)} in ${resource}`;
      const path = `${field}.defaultRequest[${resource}]`;
      errors.push(invalid(path, quantityText(request), detail));
    }
  }
  return errors;
}

function validateRatio(item: LimitRangeItem, resource: string, field: string): FieldError[] {
  const ratio = getKey(item.maxLimitRequestRatio ?? {}, resource);
  if (ratio === undefined) return [];
  const path = `${field}.maxLimitRequestRatio[${resource}]`;
  const text = quantityText(ratio);
  const errors: FieldError[] = [];
  if (compareQuantities(ratio, '1') < 0) {
    errors.push(invalid(path, text, `ratio ${text} is less than 1`));
  }
  const min = getKey(item.min ?? {}, resource);
  const max = getKey(item.max ?? {}, resource);
  if (min === undefined || max === undefined) return errors;
  const milli = (quantity: Quantity): number => Number(parseQuantity(quantity).milliValue());
  const most = milli(max) / milli(min);
  if (milli(ratio) / 1000 > most) {
    const detail = `ratio ${text} is greater than max/min = ${most.toFixed(6)}`;
    errors.push(invalid(path, text, detail));
  }
  return errors;
}

/*
 * The LimitRanger admission plugin: applies the LimitRanges of a namespace to its pods and claims.
 */

type Pod = Loose<core.Pod>;
type PodSpec = Loose<core.PodSpec>;
type Claim = Loose<core.PersistentVolumeClaim>;
type Container = Loose<core.Container>;

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Adds default requests and limits to containers, and records them in an annotation. */
export function addDefaultResources(pod: Pod, context: StrategyContext): void {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  for (const limits of limitRangesOf(context)) {
    const own = limits.filter(({ type }) => type === 'Container');
    const defaults = {
      requests: mergeAmounts(own.map((limit) => limit.defaultRequest)),
      limits: mergeAmounts(own.map((limit) => limit.default)),
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

/** Merges amounts into one map; later ones win. */
function mergeAmounts(lists: readonly (Amounts | undefined)[]): Amounts {
  return Object.fromEntries(lists.flatMap((amounts) => Object.entries(amounts ?? {})));
}

function limitRangesOf({ list, namespace, plugins }: StrategyContext): LimitRangeItem[][] {
  if (!plugins.has('LimitRanger')) return [];
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

/** Throws a 403 if a pod violates the limits. */
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

/** Throws a 403 if a claim violates the limits. */
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

function problemsOf(limit: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
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
  { type = '' }: LimitRangeItem,
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

/** Checks a maximum. The first amount is required. */
function aboveMaximum(
  { type = '' }: LimitRangeItem,
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
  { type = '' }: LimitRangeItem,
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
