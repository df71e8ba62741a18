import type { Clientset } from 'client-ts/kubernetes';
import { isNotFound } from 'client-ts/meta';

/** A namespace of one test. Disposing it deletes the namespace with everything in it. */
export class TestNamespace implements AsyncDisposable {
  readonly name: string;
  readonly #client: Clientset;

  /** Not for users: see `TestBed.namespace`. */
  constructor(client: Clientset, name: string) {
    this.#client = client;
    this.name = name;
  }

  /** Deletes the namespace; objects with finalizers stay until these are removed. */
  async delete(): Promise<void> {
    try {
      await this.#client.coreV1.namespaces().delete(this.name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete();
  }
}
