import { isJsonObject, type JsonObject, type JsonValue, getKey } from 'client-ts/internal';

import type { SourceDocument } from './documents.ts';
import type { CrdFault, Path } from './fault.ts';

/**
 * A value inside a document together with the way to it, so that whoever finds a fault can say
 * where. The readers report a value of the wrong type and answer `undefined`.
 */
export class Place {
  readonly value: JsonValue | undefined;
  readonly path: Path;
  readonly #document: SourceDocument;
  readonly #faults: CrdFault[];

  private constructor(
    document: SourceDocument,
    faults: CrdFault[],
    value: JsonValue | undefined,
    path: Path,
  ) {
    this.value = value;
    this.path = path;
    this.#document = document;
    this.#faults = faults;
  }

  /** A whole document. Faults found in it, at any depth, are added to the list. */
  static root(document: SourceDocument, faults: CrdFault[]): Place {
    return new Place(document, faults, document.value, []);
  }

  /** What stands under a key or index; its value is undefined where there is nothing. */
  at(...keys: readonly (number | string)[]): Place {
    let value = this.value;
    for (const key of keys) {
      if (Array.isArray(value)) value = value[Number(key)];
      else value = isJsonObject(value) ? getKey(value, String(key)) : undefined;
    }
    return new Place(this.#document, this.#faults, value, [...this.path, ...keys]);
  }

  report(message: string): void {
    this.#faults.push(this.#document.fault(this.path, message));
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The value as an object; anything else is a fault. */
  object(): JsonObject | undefined {
    if (isJsonObject(this.value)) return this.value;
    this.report(this.isAbsent ? 'is required' : 'must be an object');
    return undefined;
  }

  /** The entries of an object as places; none if there is no object, which is not a fault. */
  entries(): [string, Place][] {
    if (this.isAbsent) return [];
    return Object.keys(this.object() ?? {}).map((key) => [key, this.at(key)]);
  }

  /** The items of a list as places; none if there is no list, which is not a fault. */
  items(): Place[] {
    if (this.isAbsent) return [];
    if (Array.isArray(this.value)) return this.value.map((_item, index) => this.at(index));
    this.report('must be a list');
    return [];
  }

  /** The value as a text that is not empty; anything else is a fault. */
  text(): string | undefined {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    this.report(this.isAbsent || this.value === '' ? 'is required' : 'must be a string');
    return undefined;
  }

  /** The value as a truth value, false where there is none; anything else is a fault. */
  flag(): boolean {
    if (this.isAbsent) return false;
    if (typeof this.value === 'boolean') return this.value;
    this.report('must be true or false');
    return false;
  }
}
