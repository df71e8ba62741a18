import { inspect, type InspectOptionsStylized } from 'node:util';
import { Given } from '../../lib/given.ts';

/** A field that was read, and those that were read before it. */
interface Touched {
  readonly name: string;
  readonly value: unknown;
  readonly before: Touched | undefined;
}

/**
 * What stands behind an object whose fields are read when they are touched. Every field is read
 * once; whoever asks again gets the same value. Few are ever touched, hence a chain and no map.
 */
export abstract class LazyFields {
  #touched: Touched | undefined;

  /** The value of a field, frozen with everything in it. Throws a `CodecError` if it cannot be. */
  protected abstract read(name: string): unknown;

  get(name: string): unknown {
    for (let entry = this.#touched; entry !== undefined; entry = entry.before) {
      if (entry.name === name) return entry.value;
    }
    const value = this.read(name);
    this.#touched = { name, value, before: this.#touched };
    return value;
  }
}

class Hidden extends Given {
  #fields: LazyFields;

  constructor(object: object, fields: LazyFields) {
    super(object);
    this.#fields = fields;
  }

  static stamp(object: object, fields: LazyFields): Hidden {
    return new Hidden(object, fields);
  }

  /** Objects that inherit from a lazy one have no fields of their own. */
  static get(object: object, name: string): unknown {
    let owner = object;
    while (!(#fields in owner)) owner = Object.getPrototypeOf(owner) as object;
    return owner.#fields.get(name);
  }
}

/** Accessors are shared by name, so that objects of one shape share one hidden class. */
const accessors = new Map<string, PropertyDescriptor>();
/** Names of custom resources come from outside, and could fill the memory. */
const maxAccessors = 10_000;

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known !== undefined) return known;
  const accessor: PropertyDescriptor = {
    get(this: object): unknown {
      return Hidden.get(this, name);
    },
    set(): never {
      // As for every other write to a frozen object, but with the way out.
      throw new TypeError(
        `Cannot assign to read only property '${name}' of a cached object: change a mutableCopy(object) instead`,
      );
    },
    enumerable: true,
    configurable: false,
  };
  if (accessors.size < maxAccessors) accessors.set(name, accessor);
  return accessor;
}

/** `console.log` would show `[Getter]`. */
const inspection: PropertyDescriptor = {
  get: () => inspectAll,
  enumerable: false,
  configurable: false,
};

function inspectAll(this: object, depth: number | null, options: InspectOptionsStylized): string {
  const isTooDeep = depth !== null && depth < 0;
  if (isTooDeep && Object.keys(this).length > 0) return options.stylize('[Object]', 'special');
  return inspect({ ...this }, { ...options, depth });
}

/** Gives an object in the making a field that is read when it is touched. */
export function defineLater(target: object, name: string): void {
  Object.defineProperty(target, name, accessorOf(name));
}

/** Ends the making of an object: from here on its fields can be read, and nothing can be written. */
export function finishLazy(target: object, fields: LazyFields): void {
  Hidden.stamp(target, fields);
  Object.defineProperty(target, inspect.custom, inspection);
  Object.freeze(target);
}
