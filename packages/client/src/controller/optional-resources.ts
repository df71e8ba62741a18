import { customResourceDefinitions } from '../api/apiextensions/v1.ts';
import { MetadataSharedInformerFactory } from '../informers/metadata-shared-informer-factory.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import type { LoggerOption } from '../lib/logger.ts';
import { nameOf } from '../meta/object.ts';
import { groupResourceName } from '../meta/resource.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import type { Watch } from './managed-controller.ts';

/** Options of {@link OptionalResources}. */
export interface OptionalResourcesOptions extends LoggerOption {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly watches: readonly Watch[];
  /** Starts informers that are stopped. */
  readonly start: () => void;
}

/**
 * Activates the informers of optional resources as soon as their definitions appear. An informer of a
 * resource that does not exist asks again with back-off, up to a minute later; this watches custom
 * resource definitions and makes it ask immediately. Without permission to watch them, or for
 * resources of aggregated servers, it stays with the back-off.
 */
export class OptionalResources implements AsyncDisposable {
  readonly #factory: MetadataSharedInformerFactory;
  readonly #options: OptionalResourcesOptions;

  constructor(options: OptionalResourcesOptions) {
    const { client, clock } = options;
    this.#options = options;
    // Refusals are expected and not worth a warning.
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    this.#factory = new MetadataSharedInformerFactory(new MetadataClient(client.rest), {
      clock,
      logger,
    });
  }

  start(): void {
    if (this.#options.watches.length === 0) return;
    const { informer } = this.#factory.forResource(customResourceDefinitions);
    const activate = (definition: Parameters<typeof nameOf>[0]): Promise<void> =>
      this.#activate(nameOf(definition));
    informer.addEventHandler({
      onAdd: activate,
      onUpdate: (_old, definition) => activate(definition),
    });
    this.#factory.start();
  }

  async #activate(definition: string): Promise<void> {
    const { watches, start } = this.#options;
    const waiting = watches
      .filter(({ resource }) => groupResourceName(resource) === definition)
      .flatMap(({ informers }) => informers)
      .filter(({ state }) => state.state === 'absent');
    if (waiting.length === 0) return;
    await Promise.all(waiting.map((informer) => informer.stop()));
    start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.shutdown();
  }
}

function ignore(): void {
  // See the comment above.
}
