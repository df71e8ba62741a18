import { jsonEqual, type JsonObject } from 'client-ts/internal';
import { apiVersionOf, newUnknownError } from 'client-ts/meta';
import type { CustomResourceVersion } from '../crd/custom-resource.ts';
import { asVersion, type CustomKind, readStored } from '../crd/decode-custom.ts';
import type { StoredObject } from '../store/store.ts';
import type { ConversionWebhook } from '../webhook/conversion-webhook.ts';
import type { ApiObject } from './object.ts';
import type { Conversion } from './served-resource.ts';

/** What all versions of a custom resource share. */
export interface ConversionRules {
  readonly kind: CustomKind;
  /** The `apiVersion` of stored objects. */
  readonly storedAs: string;
  /** Absent: versions differ in their `apiVersion` only. */
  readonly webhook: ConversionWebhook | undefined;
}

/**
 * Converts the objects of a custom resource between storage and one served version. A stored object
 * is pruned and defaulted by its own version, converted, and pruned by the served version.
 */
export class CustomConversion implements Conversion {
  readonly #rules: ConversionRules;
  readonly #servedAs: string;
  /** The answers of the webhook, by stored object. */
  readonly #answers = new WeakMap<StoredObject, StoredObject>();

  constructor(version: CustomResourceVersion, rules: ConversionRules) {
    this.#rules = rules;
    this.#servedAs = apiVersionOf(version);
  }

  get usesWebhook(): boolean {
    return this.#rules.webhook !== undefined;
  }

  /** Most objects look the same in all versions; these are returned as they are. */
  fromStorage(stored: StoredObject): StoredObject {
    const answer = this.#answers.get(stored);
    if (answer !== undefined) return answer;
    const read = readStored(stored, this.#rules.kind);
    const view = this.#isOwn(stored) ? read : asVersion(read, this.#servedAs, this.#rules.kind);
    return jsonEqual(view, stored) ? stored : view;
  }

  toStorage(object: ApiObject): ApiObject {
    return object;
  }

  /** Asks the webhook for views; undefined if none is needed. */
  load(stored: readonly StoredObject[]): Promise<void> | undefined {
    const { webhook, kind } = this.#rules;
    if (webhook === undefined) return undefined;
    const missing = stored.filter((object) => !this.#isOwn(object) && !this.#answers.has(object));
    return missing.length === 0 ? undefined : this.#load(webhook, missing, kind);
  }

  reload(stored: StoredObject): Promise<StoredObject> | undefined {
    const { webhook, kind } = this.#rules;
    if (webhook === undefined || this.#isOwn(stored)) return undefined;
    return this.#ask(webhook, [stored], kind).then(([view]) => view as StoredObject);
  }

  /** Returns an object of the request as it is stored; undefined if that takes the webhook. */
  encode(object: ApiObject): ApiObject | undefined {
    const { webhook, storedAs, kind } = this.#rules;
    if (webhook !== undefined && object.apiVersion !== storedAs) return undefined;
    return asVersion(object as JsonObject, storedAs, kind) as unknown as ApiObject;
  }

  /** Returns an object in any version of the resource. */
  async convert(object: ApiObject, apiVersion: string): Promise<ApiObject> {
    const { webhook, kind } = this.#rules;
    let converted = object as JsonObject;
    if (webhook !== undefined && object.apiVersion !== apiVersion) {
      [converted = {}] = await webhook.convert([converted], apiVersion);
    }
    return asVersion(converted, apiVersion, kind) as unknown as ApiObject;
  }

  async #load(
    webhook: ConversionWebhook,
    missing: readonly StoredObject[],
    kind: CustomKind,
  ): Promise<void> {
    const converted = await this.#ask(webhook, missing, kind);
    for (const [index, stored] of missing.entries()) {
      this.#answers.set(stored, converted[index] as StoredObject);
    }
  }

  async #ask(
    webhook: ConversionWebhook,
    stored: readonly StoredObject[],
    kind: CustomKind,
  ): Promise<StoredObject[]> {
    const objects = stored.map((object) => readStored(object, kind));
    const converted = await webhook.convert(objects, this.#servedAs);
    return converted.map((object) => asVersion(object, this.#servedAs, kind));
  }

  /** Throws for a version that the definition no longer has. */
  #isOwn({ apiVersion = '' }: StoredObject): boolean {
    if (apiVersion === this.#servedAs) return true;
    if (this.#rules.kind.schemaFor(apiVersion.split('/', 2)[1] ?? '') !== undefined) return false;
    throw newUnknownError(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
}
