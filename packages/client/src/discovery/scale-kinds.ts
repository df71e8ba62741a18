import type { Scale } from '../api/autoscaling/v1.ts';
import { labelMatcherFromSet } from '../meta/labels.ts';
import { apiVersionOf, type GroupVersion } from '../meta/resource.ts';

/** A Scale as it was before `autoscaling/v1`: its selector had two fields, one for old clients. */
interface OldScale extends Omit<Scale, 'apiVersion' | 'status'> {
  apiVersion: string;
  status?: {
    replicas: number;
    selector?: Record<string, string>;
    targetSelector?: string;
  };
}

const CURRENT = 'autoscaling/v1';

/** The other kinds of Scale that servers have had. */
const OLD: ReadonlySet<string> = new Set(['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1']);

/** True for a kind of Scale that can be read and written. */
export function isScaleVersion(version: GroupVersion): boolean {
  const apiVersion = apiVersionOf(version);
  return apiVersion === CURRENT || OLD.has(apiVersion);
}

/** Any kind of Scale as one of `autoscaling/v1`. */
export function toCurrentScale<S extends Scale>(scale: S): S {
  if (!OLD.has(scale.apiVersion ?? CURRENT)) return scale;
  const { status, ...rest } = scale as unknown as OldScale;
  const { replicas = 0, targetSelector = '', selector = {} } = status ?? {};
  const text = targetSelector === '' ? labelMatcherFromSet(selector).toString() : targetSelector;
  return {
    ...rest,
    apiVersion: CURRENT,
    ...(status !== undefined && { status: { replicas, ...(text !== '' && { selector: text }) } }),
  } as unknown as S;
}

/** A Scale of `autoscaling/v1` as the kind that a server wants to be sent. */
export function fromCurrentScale(scale: Scale, version: GroupVersion): Scale {
  const apiVersion = apiVersionOf(version);
  if (!OLD.has(apiVersion)) return { ...scale, apiVersion: CURRENT, kind: 'Scale' };
  const { status, ...rest } = scale;
  const { replicas = 0, selector = '' } = status ?? {};
  const old: object = {
    ...rest,
    apiVersion,
    kind: 'Scale',
    ...(status !== undefined && {
      status: { replicas, ...(selector !== '' && { targetSelector: selector }) },
    }),
  } satisfies OldScale;
  return old;
}
