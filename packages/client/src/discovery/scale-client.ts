import type { Scale } from '../api/autoscaling/v1.ts';
import { labelMatcherFromSet } from '../meta/labels.ts';
import { nameOf } from '../meta/object.ts';
import {
  apiVersionOf,
  groupResourceName,
  type GroupVersion,
  type GroupVersionKind,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { PatchBody } from '../rest/client-methods.ts';
import { GenericClient } from '../rest/generic-client.ts';
import type { Stored } from '../rest/object-types.ts';
import type { CallOptions, PatchOptions, WriteOptions } from '../rest/options.ts';
import type { PatchType } from '../rest/options.ts';
import { RESTClient } from '../rest/rest-client.ts';
import type { Config } from '../transport/config.ts';
import { DiscoveryClient } from './discovery-client.ts';
import { DiscoveryError } from './discovery-error.ts';
import { type Mappable, RESTMapper } from './rest-mapper.ts';

/** Reads and changes the replicas of objects of any scalable resource. */
export interface ScaleInterface {
  get(resource: Mappable, name: string, options?: CallOptions): Promise<Stored<Scale>>;
  /** Replaces the scale of the object `scale.metadata.name`. */
  update(resource: Mappable, scale: Scale, options?: WriteOptions): Promise<Stored<Scale>>;
  patch<P extends PatchType>(
    resource: Mappable,
    name: string,
    patch: PatchBody<Scale, P>,
    options: PatchOptions<P, never>,
  ): Promise<Stored<Scale>>;
}

/**
 * Scales any scalable resource, built-in or custom. Whatever kind of Scale a resource has, callers
 * see `autoscaling/v1`.
 *
 * ```ts
 * await using scales = new ScaleClient(await loadConfig());
 * const web = scales.scales('default');
 * const scale = await web.get({ group: 'apps', resource: 'deployments' }, 'web');
 * await web.update({ group: 'apps', resource: 'deployments' }, { ...scale, spec: { replicas: 3 } });
 * ```
 */
export class ScaleClient implements AsyncDisposable {
  /** Sends the requests of this client. */
  readonly rest: RESTClient;
  readonly #owned: RESTClient | undefined;
  readonly #mapper: RESTMapper;

  /** Connects with a config, or uses the connections of a `RESTClient`. Default mapper: its own. */
  constructor(config: Config | RESTClient, mapper?: RESTMapper) {
    const isBorrowed = config instanceof RESTClient;
    const rest = isBorrowed ? config : new RESTClient(config);
    this.#owned = isBorrowed ? undefined : rest;
    this.rest = rest.with({ codec: 'json' });
    this.#mapper = mapper ?? new RESTMapper(new DiscoveryClient(rest));
  }

  /** Returns the scales of a namespace; of cluster-scoped resources for an empty name. */
  scales(namespace: string): ScaleInterface {
    return {
      get: async (resource, name, options = {}) => {
        const { client } = await this.#scalable(resource, namespace, options);
        return toCurrentScale(await client.getScale(name, options));
      },
      update: async (resource, scale, options = {}) => {
        const { client, kind } = await this.#scalable(resource, namespace, options);
        const sent = fromCurrentScale(scale, kind);
        return toCurrentScale(await client.updateScale(nameOf(scale), sent, options));
      },
      patch: async (resource, name, patch, options) => {
        const { client } = await this.#scalable(resource, namespace, options);
        return toCurrentScale(await client.patchScale(name, patch, options));
      },
    };
  }

  /** Releases the connections that this client made from a config. Those of others stay open. */
  async close(): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #scalable(
    resource: Mappable,
    namespace: string,
    { signal }: CallOptions,
  ): Promise<{
    readonly client: GenericClient<KubernetesObject>;
    readonly kind: GroupVersionKind;
  }> {
    const descriptor = await this.#mapper.mapping(resource, { signal });
    const kind = scaleKindOf(descriptor);
    const place = namespace === '' ? undefined : namespace;
    return { client: new GenericClient(this.rest, descriptor, place), kind };
  }
}

function scaleKindOf(descriptor: ResourceDescriptor): GroupVersionKind {
  const kind = descriptor.subresources.find(({ name }) => name === 'scale')?.kind;
  if (kind !== undefined && isScaleVersion(kind)) return kind;
  const name = groupResourceName(descriptor);
  throw new DiscoveryError(
    'DISCOVERY_SCALE_UNSUPPORTED',
    kind === undefined
      ? `${name} in version ${descriptor.version} cannot be scaled`
      : `${name} has a scale of an unknown kind, ${apiVersionOf(kind)} ${kind.kind}`,
  );
}

/** A Scale before `autoscaling/v1`, with two selector fields. */
interface OldScale extends Omit<Scale, 'apiVersion' | 'status'> {
  apiVersion: string;
  status?: {
    replicas: number;
    selector?: Record<string, string>;
    targetSelector?: string;
  };
}

const CURRENT = 'autoscaling/v1';

/** Older kinds of Scale. */
const OLD: ReadonlySet<string> = new Set(['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1']);

/** True for a supported kind of Scale. */
export function isScaleVersion(version: GroupVersion): boolean {
  const apiVersion = apiVersionOf(version);
  return apiVersion === CURRENT || OLD.has(apiVersion);
}

/** Converts any kind of Scale to `autoscaling/v1`. */
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

/** Converts a Scale of `autoscaling/v1` to the kind that the server expects. */
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
