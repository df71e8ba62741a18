import { identityOf, nameOf, namespaceOf } from '../../meta/object.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { KnownKeys } from './known-keys.ts';
import type { ReadOnlyForm } from './read-only-form.ts';
import { rememberUnpacked, wholeBytesOf } from './lazy-fields.ts';
import type { Packer } from './packed-bytes.ts';
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

  /** Returns an event that was decoded. The key of an object that was deleted is no longer needed. */
  seen<T extends object>(event: WatchEvent<T>): WatchEvent<T> {
    if (event.type === 'DELETED') {
      this.keys.forget(identityOf(event.object)?.key ?? wholeKeyOf(event.object));
    }
    return event;
  }

  /** Copies the bytes of an object, which begin at `start`. */
  keep(object: KeptBytes, bytes: Buffer, start: number): void {
    const end = start + object.length;
    const packer = this.form?.packer;
    if (packer !== undefined) pack(object, Buffer.from(bytes.subarray(start, end)), packer);
    else if (object.length > longestInSlab) object.source = bytes.toString('latin1', start, end);
    else this.#writer.write(object, bytes, start);
  }

  /** Copies the parts of an object, one after another. `ranges` has the start and the end of each. */
  keepParts(object: KeptBytes, bytes: Buffer, ranges: readonly number[]): void {
    const { length } = object;
    const isAlone = this.form?.packer !== undefined || length > longestInSlab;
    const target = isAlone ? Buffer.allocUnsafeSlow(length) : this.#writer.place(object).bytes;
    for (let part = 0, end = object.start; part < ranges.length; part += 2) {
      end += bytes.copy(target, end, ranges[part], ranges[part + 1]);
    }
    if (isAlone) this.keep(object, target, 0);
  }
}

/**
 * Returns the key of an object that was decoded as a whole, which has no identity: it may have been known before that was
 * found out. Empty for others, which have none because their key does not tell their name, and was never known.
 */
function wholeKeyOf(object: object): string {
  if (wholeBytesOf(object) !== undefined) return '';
  const name: unknown = nameOf(object);
  const namespace: unknown = namespaceOf(object);
  if (typeof name !== 'string' || name === '' || name.includes('/')) return '';
  if (typeof namespace !== 'string' || namespace.includes('/')) return '';
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Indices read fields of an object right after it has arrived, and should not decompress it for that. */
function pack(object: KeptBytes, bytes: Buffer, packer: Packer): void {
  const packed = packer.pack(bytes);
  object.source = packed ?? bytes.toString('latin1');
  if (packed !== undefined) rememberUnpacked(packed, bytes);
}
