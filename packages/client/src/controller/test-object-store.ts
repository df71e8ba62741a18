import { newConflict, newNotFound } from '../meta/error-factories.ts';
import type { DeepReadonly, KubernetesObject, ObjectMeta } from '../meta/types.ts';
import type { FinalizableClient, FinalizersPatch } from './finalizer.ts';

/** What the store keeps. */
export type StoredObject = DeepReadonly<KubernetesObject>;

const resource = { group: '', resource: 'things' };

/** A server of one object in a few lines: versions, conflicts, and a deletion that waits. */
export class TestObjectStore implements FinalizableClient<StoredObject> {
  /** What is there now, and everything that ever was, oldest first. */
  object: StoredObject | undefined;
  readonly history: StoredObject[] = [];
  readonly patches: FinalizersPatch[] = [];
  /** Called around each request; what it throws the caller gets. `after` means: it was done. */
  fault: (request: 'get' | 'patch', when: 'after' | 'before') => void = () => undefined;
  /** Hears of objects that are gone for good. */
  onGone: (object: StoredObject) => void = () => undefined;
  #version = 0;
  #made = 0;

  create(metadata: ObjectMeta = {}): StoredObject {
    this.#made += 1;
    return this.#store({ name: 'thing', namespace: 'ns', ...metadata, uid: `uid-${this.#made}` });
  }

  change(change: (metadata: DeepReadonly<ObjectMeta>) => DeepReadonly<ObjectMeta>): void {
    if (this.object !== undefined) this.#store(change(this.object.metadata ?? {}));
  }

  delete(): void {
    this.change((metadata) => ({ ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }));
  }

  async get(): Promise<StoredObject> {
    this.fault('get', 'before');
    if (this.object === undefined) throw newNotFound(resource, 'thing');
    const { object } = this;
    this.fault('get', 'after');
    return object;
  }

  async patch(_name: string, patch: FinalizersPatch): Promise<StoredObject> {
    this.fault('patch', 'before');
    if (this.object === undefined) throw newNotFound(resource, 'thing');
    const { metadata } = this.object;
    if (metadata?.resourceVersion !== patch.metadata.resourceVersion) {
      throw newConflict(resource, 'thing', 'the object has been modified');
    }
    this.patches.push(patch);
    const object = this.#store({ ...metadata, finalizers: patch.metadata.finalizers });
    this.fault('patch', 'after');
    return object;
  }

  #store(metadata: DeepReadonly<ObjectMeta>): StoredObject {
    this.#version += 1;
    const object: StoredObject = { metadata: { ...metadata, resourceVersion: `${this.#version}` } };
    this.history.push(object);
    const isGone =
      metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
    this.object = isGone ? undefined : object;
    if (isGone) this.onGone(object);
    return object;
  }
}
