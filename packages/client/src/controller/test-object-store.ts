import { newConflict, newNotFound } from '../meta/error-factories.ts';
import type { DeepReadonly, KubernetesObject, ObjectMeta } from '../meta/types.ts';
import type { FinalizableClient, FinalizersPatch } from './finalizer.ts';

/** The object of the store. */
export type StoredObject = DeepReadonly<KubernetesObject>;

const resource = { group: '', resource: 'things' };

/** A server for one object, with versions, conflicts and finalizers. */
export class TestObjectStore implements FinalizableClient<StoredObject> {
  /** The current object, and all states it ever had, oldest first. */
  object: StoredObject | undefined;
  readonly history: StoredObject[] = [];
  readonly patches: FinalizersPatch[] = [];
  /** Called before and after each request takes effect; the caller gets what it throws. */
  fault: (request: 'get' | 'patch', when: 'after' | 'before') => void = () => undefined;
  /** Called with each object that is gone. */
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
