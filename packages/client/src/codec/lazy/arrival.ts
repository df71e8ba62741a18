import { KnownKeys } from './known-keys.ts';
import type { ReadOnlyForm } from './read-only-form.ts';
import { type KeptBytes, longestInSlab, SlabWriter } from './slab.ts';

/** What the objects of one list or watch share as they are decoded. */
export class Arrival {
  readonly keys: KnownKeys = new KnownKeys();
  /** What is kept of the objects. Undefined: everything. */
  readonly form: ReadOnlyForm | undefined;
  readonly #writer = new SlabWriter();

  constructor(form?: ReadOnlyForm) {
    this.form = form;
  }

  /** Copies the bytes of an object, which begin at `start`. */
  keep(object: KeptBytes, bytes: Buffer, start: number): void {
    const end = start + object.length;
    if (this.form?.isPacking === true) {
      object.source = this.form.pack(bytes.toString('latin1', start, end));
    } else if (object.length > longestInSlab) object.source = bytes.toString('latin1', start, end);
    else this.#writer.write(object, bytes, start, end);
  }
}
