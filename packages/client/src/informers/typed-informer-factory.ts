import type { Clientset } from '../kubernetes/clientset.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Described } from '../rest/resource-client.ts';
import type { InformerOptions } from './informer-options.ts';
import { InformerFactory } from './informer-factory.ts';
import type { Cached, InformerGetter, ResourceInformer } from './resource-informer.ts';

/** Gives a client that knows its resource. */
type DescribedClient = () => Described<ResourceDescriptor>;

/** A getter of an informer for each getter of a client. */
export type GroupInformers<Clients> = {
  readonly [Name in keyof Clients]: Clients[Name] extends () => Described<
    infer D extends ResourceDescriptor
  >
    ? InformerGetter<D>
    : never;
};

/** What the generated getters stand on. */
export abstract class TypedInformerFactory extends InformerFactory {
  /** What the informers read with. */
  abstract readonly client: Clientset;

  abstract forResource(
    resource: ResourceDescriptor,
    options?: InformerOptions<Cached<KubernetesObject>>,
  ): ResourceInformer<Cached<KubernetesObject>>;

  /**
   * Getters for all resources of a group-version that can be listed and watched. The clients say
   * what there is: nothing has to be loaded for it that the `Clientset` has not loaded.
   */
  protected group<Clients extends Readonly<Record<keyof Clients, DescribedClient>>>(
    clients: Clients,
  ): GroupInformers<Clients> {
    const getters = Object.entries<DescribedClient>(clients)
      .map(([name, client]) => [name, client().descriptor] as const)
      .filter(([, { verbs }]) => verbs.includes('list') && verbs.includes('watch'))
      .map(([name, descriptor]) => [name, this.#getter(descriptor)] as const);
    return Object.fromEntries(getters) as unknown as GroupInformers<Clients>;
  }

  #getter(descriptor: ResourceDescriptor): InformerGetter<ResourceDescriptor> {
    return (options) => this.forResource(descriptor, options);
  }
}
