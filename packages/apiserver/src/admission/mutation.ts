import { cloneJson, type JsonObject } from 'client-ts/internal';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import { convert, viewIn } from './evaluation.ts';
import type { SelectedObjects } from './matching.ts';

/** The objects of a request on their way through mutating admission. */
export class MutatedObjects {
  readonly request: AdmissionAttributes;
  #form: AdmissionForm;
  #objects: SelectedObjects;

  constructor(request: AdmissionAttributes) {
    this.request = request;
    this.#form = request.form;
    this.#objects = request;
  }

  /** The objects in the version that they were last converted to. */
  get current(): SelectedObjects {
    return this.#objects;
  }

  /** Replaces the object by one of the same version. */
  replace(object: JsonObject): void {
    this.#objects = { ...this.#objects, object };
  }

  /** Shows the objects in another version. */
  async convertTo(form: AdmissionForm): Promise<SelectedObjects> {
    if (form !== this.#form) {
      const { object } = this.#objects;
      const { oldObject } = await viewIn(form, { ...this.request, object: undefined });
      this.#objects = {
        object: object && (await convert(object, this.#form, form, this.request)),
        oldObject,
      };
      this.#form = form;
    }
    return this.#objects;
  }

  /** Shows the objects in the version of the request, as a request about them. */
  async asRequest(): Promise<AdmissionAttributes> {
    const { object } = await this.convertTo(this.request.form);
    return { ...this.request, object };
  }

  /** Runs the mutating admission that is built in. */
  async admitBuiltIn(): Promise<void> {
    const { object } = await this.convertTo(this.request.form);
    if (object === undefined) return;
    const admitted = cloneJson(object);
    this.request.codec.admitBuiltIn(admitted);
    this.replace(admitted);
  }
}

/** A part of mutating admission, which changes the object or denies the request. */
export interface MutationStage {
  /** Runs its first or its second round. Resolves to whether everything should run again. */
  run(objects: MutatedObjects, isRepeat: boolean): Promise<boolean>;
}

/**
 * Lets stages change the object of a request, one after the other, and once more if one of them
 * asks for it. Resolves to the object in the version of the request.
 */
export async function mutate(
  request: AdmissionAttributes,
  stages: readonly MutationStage[],
): Promise<JsonObject | undefined> {
  const objects = new MutatedObjects(request);
  let isRepeated = false;
  for (const isRepeat of [false, true]) {
    if (isRepeat && !isRepeated) break;
    await objects.admitBuiltIn();
    for (const stage of stages) {
      if (await stage.run(objects, isRepeat)) isRepeated = true;
    }
  }
  const { object } = await objects.convertTo(request.form);
  return object;
}
