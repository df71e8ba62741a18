import { Given } from '../lib/given.ts';

/** What keys and order need to know of an object. */
export interface ObjectIdentity {
  /** Empty if it has none. */
  readonly name: string;
  /** Empty for objects outside of namespaces. */
  readonly namespace: string;
  /** Empty if it has none. */
  readonly resourceVersion: string;
  /** Empty if it has none. Another uid under the same name is another object. */
  readonly uid: string;
}

class Identified extends Given {
  #identity: ObjectIdentity;

  constructor(object: object, identity: ObjectIdentity) {
    super(object);
    this.#identity = identity;
  }

  static stamp(object: object, identity: ObjectIdentity): Identified {
    return new Identified(object, identity);
  }

  static of(object: object): ObjectIdentity | undefined {
    return #identity in object ? object.#identity : undefined;
  }
}

/**
 * Notes, out of everybody's sight, what an object is. For objects that are read when they are
 * touched: who asks {@link identityOf} touches nothing. An object can be stamped once, before it is
 * frozen.
 */
export function stampIdentity(object: object, identity: ObjectIdentity): void {
  Identified.stamp(object, identity);
}

/** What was noted of an object; undefined for those that have to be looked at. */
export function identityOf(object: object): ObjectIdentity | undefined {
  return Identified.of(object);
}
