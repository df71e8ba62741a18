import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { CelList, CelMap, type Value } from './values.ts';

/** Returns a JSON value without a schema: whole numbers are `int`, others `double`. */
export function jsonValue(value: JsonValue): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return new JsonList(value);
  return isJsonObject(value) ? new JsonMap(value) : value;
}

class JsonList extends CelList {
  readonly #items: readonly JsonValue[];

  constructor(items: readonly JsonValue[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return jsonValue(this.#items[index] ?? null);
  }
}

class JsonMap extends CelMap {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    const value = typeof key === 'string' ? getKey(this.#object, key) : undefined;
    return value === undefined ? undefined : jsonValue(value);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object);
  }
}
