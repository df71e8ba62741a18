import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import {
  compareQuantities,
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
import { quantityText } from '../../../validation/quantities.ts';
import { isOvercommitAllowed } from '../../../validation/resource-names.ts';
import {
  validateContainerResourceName,
  validateResourceName,
} from '../../../validation/resources.ts';
import type { Strategy } from '../../strategy.ts';
import { roundResources } from '../round-resources.ts';

type LimitRange = Loose<core.LimitRange>;
type LimitRangeItem = Loose<core.LimitRangeItem>;
type Amounts = Readonly<Record<string, Quantity>>;

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const meta = metaValidator({ namespaced: true });

/** How much each pod, container or claim of a namespace may ask for. */
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

/** What is not said about a container follows from what is. */
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

/** The amounts of one resource have to fit together. */
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
