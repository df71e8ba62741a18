import type { Event } from '../api/core/v1.ts';
import type { Event as EventV1 } from '../api/events/v1.ts';
import { newNotFound } from '../meta/error-factories.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { EventCountPatch } from './event-counter.ts';
import type { EventSeriesPatch, Sink, SinkOptions } from './event-sink.ts';

type Call<E, P> =
  | { readonly verb: 'create'; readonly event: E }
  | { readonly verb: 'patch'; readonly event: E; readonly patch: P };

/** Keeps events in memory as a server does, and fails when it is told to. */
class MemorySink<E extends KubernetesObject, P extends object> implements Sink<E, P> {
  readonly calls: Call<E, P>[] = [];
  readonly stored: Map<string, E> = new Map();
  /** Called before every write; what it throws is what the client gets. */
  onWrite: (call: Call<E, P>, options: SinkOptions) => Promise<void> | void = () => undefined;
  #version = 0;

  async create(event: E, options: SinkOptions): Promise<E> {
    return await this.#write({ verb: 'create', event }, event, options);
  }

  async patch(event: E, patch: P, options: SinkOptions): Promise<E> {
    const call = { verb: 'patch', event, patch } as const;
    return await this.#write(call, this.stored.get(placeOf(event)), options, patch);
  }

  /** What was asked for, in short. */
  get verbs(): string[] {
    return this.calls.map(({ verb }) => verb);
  }

  async #write(call: Call<E, P>, base: E | undefined, options: SinkOptions, patch?: P): Promise<E> {
    this.calls.push(call);
    await this.onWrite(call, options);
    const name = call.event.metadata?.name ?? '';
    if (base === undefined) throw newNotFound({ group: '', resource: 'events' }, name);
    this.#version += 1;
    const resourceVersion = `${this.#version}`;
    const stored = { ...base, ...patch, metadata: { ...base.metadata, resourceVersion } };
    this.stored.set(placeOf(stored), stored);
    return stored;
  }
}

function placeOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

/** For events of `core/v1`. */
export class MemoryEventSink extends MemorySink<Event, EventCountPatch> {}

/** For events of `events.k8s.io/v1`. */
export class MemoryEventsV1Sink extends MemorySink<EventV1, EventSeriesPatch> {}
