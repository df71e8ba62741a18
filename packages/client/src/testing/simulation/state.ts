import type { GroupResource, ResourceDescriptor } from '../../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../../meta/types.ts';
import type { GuardWarning } from '../../observe/guard-warnings.ts';
import type { History, SimulatedRequest, SimulatedWrite } from './history.ts';
import type { Replica } from './simulated-process.ts';
import type { SimulationServer } from './simulation-server.ts';
import type { Timeline } from './timeline.ts';

/**
 * The state of the server and the history of a simulation, for invariants. Reading takes no time and
 * cannot fail.
 */
export class SimulationState {
  readonly #server: SimulationServer;
  readonly #timeline: Timeline;
  readonly #history: History;
  readonly #replicas: readonly Replica[];

  /** Made by the simulation. */
  constructor(
    server: SimulationServer,
    timeline: Timeline,
    history: History,
    replicas: readonly Replica[],
  ) {
    this.#server = server;
    this.#timeline = timeline;
    this.#history = history;
    this.#replicas = replicas;
  }

  /** Milliseconds since the controllers were started. */
  get nowMs(): number {
    return this.#timeline.nowMs - this.#history.originMs;
  }

  /** All writes that the server has stored since the controllers were started, in order. */
  get writes(): readonly SimulatedWrite[] {
    return this.#history.writes;
  }

  /** All requests that processes have sent, in order. */
  get requests(): readonly SimulatedRequest[] {
    return this.#history.requests;
  }

  /** The identities of the processes that consider themselves the leader now. */
  get leaders(): readonly string[] {
    return this.#replicas.flatMap(({ isLeader, identity }) =>
      isLeader && identity !== undefined ? [identity] : [],
    );
  }

  /** What the loop guards of the controllers have reported, in order. */
  get guardWarnings(): readonly GuardWarning[] {
    return this.#history.guardWarnings;
  }

  /** Returns the objects of a resource, by default of all namespaces, in the order of their keys. */
  list<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    options?: { readonly namespace?: string | undefined },
  ): readonly DeepReadonly<T>[];
  list(
    resource: GroupResource,
    options?: { readonly namespace?: string | undefined },
  ): readonly DeepReadonly<KubernetesObject>[];
  list(
    resource: GroupResource,
    { namespace }: { readonly namespace?: string | undefined } = {},
  ): readonly DeepReadonly<KubernetesObject>[] {
    return this.#server
      .objects(resource)
      .filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace);
  }

  /** Returns an object; undefined if it does not exist. */
  get<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
  ): DeepReadonly<T> | undefined {
    return this.list(resource).find(
      ({ metadata }) =>
        metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
    );
  }

  /** Returns all objects of the resources that anything was written to, without Leases and Events. */
  all(): readonly DeepReadonly<KubernetesObject>[] {
    const touched = new Map<string, GroupResource>();
    for (const { group, resource } of this.#history.writes) {
      touched.set(`${group}/${resource}`, { group, resource });
    }
    return [...touched.values()]
      .filter(({ resource }) => resource !== 'leases' && resource !== 'events')
      .flatMap((resource) => this.list(resource));
  }
}
