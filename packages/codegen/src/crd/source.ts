import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { parseYamlDocuments, YamlError } from 'client-ts/yaml';

import type { CrdFault } from '../errors.ts';

/** A text with CustomResourceDefinitions in YAML or JSON, and its name in messages. */
export interface CrdSource {
  readonly name: string;
  readonly text: string;
}

/** Keys of objects and indices of lists, from the root of a document. */
type Path = readonly (number | string)[];

/** One document of a source, as data that can be traced back to its lines. */
interface SourceDocument {
  readonly value: JsonValue;
  /** Makes a fault for a path in this document. */
  fault(path: Path, message: string): CrdFault;
}

/** Returns the documents of a source as places, without empty ones. Adds faults to the list. */
export function readDocuments(source: CrdSource, faults: CrdFault[]): Place[] {
  const places: Place[] = [];
  for (const [index, document] of parseYamlDocuments(source.text).entries()) {
    if (document.isEmpty) continue;
    const place = { source: source.name, document: index + 1 };
    const fault = (path: Path, message: string): CrdFault => {
      const line = document.lineOf(path);
      const at = line === undefined ? place : { ...place, line };
      return { ...at, path: formatPath(path), message };
    };
    try {
      const { value, duplicates } = document.read();
      if (value === null) continue;
      // Servers take the last of equal keys, which hides a mistake.
      for (const duplicate of duplicates)
        faults.push({ ...place, path: '', message: `is not YAML: ${duplicate}` });
      places.push(Place.root({ value, fault }, faults));
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      const { line, reason } = error;
      const at = line === undefined ? place : { ...place, line };
      faults.push({ ...at, path: '', message: `is not YAML: ${reason}` });
    }
  }
  return places;
}

/** `spec.versions[0].schema.openAPIV3Schema.properties['a-b'].type` */
export function formatPath(path: Path): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\w$]+$|^x-[\w-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

/**
 * A value in a document together with its path, so that a fault can say where it is. The readers
 * report a value of the wrong type and return `undefined`.
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

  /** A whole document. Faults that are reported at any depth are added to the list. */
  static root(document: SourceDocument, faults: CrdFault[]): Place {
    return new Place(document, faults, document.value, []);
  }

  /** The place under a key or index. Its value is undefined if there is none. */
  at(...keys: readonly (number | string)[]): Place {
    let value = this.value;
    for (const key of keys) {
      if (Array.isArray(value)) value = value[Number(key)];
      else value = isJsonObject(value) ? getKey(value, String(key)) : undefined;
    }
    return new Place(this.#document, this.#faults, value, [...this.path, ...keys]);
  }

  /** Adds a fault at this place. */
  report(message: string): void {
    this.#faults.push(this.#document.fault(this.path, message));
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** Returns the value as an object; reports anything else. */
  object(): JsonObject | undefined {
    if (isJsonObject(this.value)) return this.value;
    this.report(this.isAbsent ? 'is required' : 'must be an object');
    return undefined;
  }

  /** Returns the entries of an object as places. A missing object has none and is not reported. */
  entries(): [string, Place][] {
    if (this.isAbsent) return [];
    return Object.keys(this.object() ?? {}).map((key) => [key, this.at(key)]);
  }

  /** Returns the items of a list as places. A missing list has none and is not reported. */
  items(): Place[] {
    if (this.isAbsent) return [];
    if (Array.isArray(this.value)) return this.value.map((_item, index) => this.at(index));
    this.report('must be a list');
    return [];
  }

  /** Returns the value as a string that is not empty; reports anything else. */
  text(): string | undefined {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    this.report(this.isAbsent || this.value === '' ? 'is required' : 'must be a string');
    return undefined;
  }

  /** Returns the value as a boolean, false if it is missing; reports anything else. */
  flag(): boolean {
    if (this.isAbsent) return false;
    if (typeof this.value === 'boolean') return this.value;
    this.report('must be true or false');
    return false;
  }
}
