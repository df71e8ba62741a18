import {
  DYN,
  ERROR,
  isDyn,
  isSameType,
  listOf,
  mapOf,
  opaque,
  type Type,
  typeOfType,
} from './types.ts';

/**
 * What is known about the type parameters of an expression. A test of assignability binds them; a
 * test that fails leaves everything as it was.
 */
export class Bindings {
  #bound = new Map<string, Type>();

  /** Whether two types fit together. Binds their parameters if so. */
  isAssignable(left: Type, right: Type): boolean {
    return this.areAssignable([left], [right]);
  }

  /** The same for lists of types, which must be of one length. */
  areAssignable(left: readonly Type[], right: readonly Type[]): boolean {
    const before = new Map(this.#bound);
    if (this.#listAssignable(left, right)) return true;
    this.#bound = before;
    return false;
  }

  /** Replaces parameters by what they are bound to; free ones become `dyn` if asked for. */
  substitute(type: Type, isFreeDyn = false): Type {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.substitute(bound, isFreeDyn);
      return isFreeDyn ? DYN : type;
    }
    const { parameters } = type;
    if (parameters.length === 0) return type;
    const parts = parameters.map((part) => this.substitute(part, isFreeDyn));
    if (parts.every((part, index) => part === parameters[index])) return type;
    const [first = DYN, second = DYN] = parts;
    if (type.kind === 'list') return listOf(first);
    if (type.kind === 'map') return mapOf(first, second);
    if (type.kind === 'type') return typeOfType(first);
    return opaque(type.name, ...parts);
  }

  #listAssignable(left: readonly Type[], right: readonly Type[]): boolean {
    return (
      left.length === right.length &&
      left.every((type, index) => this.#assignable(type, right[index] ?? ERROR))
    );
  }

  #assignable(left: Type, right: Type): boolean {
    if (right.kind === 'param') {
      const outcome = this.#bind(left, right);
      if (outcome !== 'free') return outcome === 'bound';
    }
    if (left.kind === 'param') return this.#bind(right, left) === 'bound';
    if (isWild(left) || isWild(right)) return true;
    if (left.kind === 'null') return isNullable(right);
    if (right.kind === 'null') return isNullable(left);
    if (left.kind !== right.kind) return false;
    if (left.kind === 'type') return true;
    return left.name === right.name && this.#listAssignable(left.parameters, right.parameters);
  }

  /** Binds a parameter; `refused` if what it is bound to does not fit, `free` if it cannot be bound. */
  #bind(type: Type, variable: Type): 'bound' | 'free' | 'refused' {
    if (isSameType(type, variable)) return 'bound';
    const bound = this.#bound.get(variable.name);
    if (bound === undefined) {
      if (this.#occurs(variable, type)) return 'free';
      this.#bound.set(variable.name, type);
      return 'bound';
    }
    if (isSameType(type, bound)) return 'bound';
    if (!this.#assignable(type, bound)) return 'refused';
    const general = moreGeneral(type, bound);
    if (!this.#occurs(variable, general)) this.#bound.set(variable.name, general);
    return 'bound';
  }

  #occurs(variable: Type, within: Type): boolean {
    if (isSameType(variable, within)) return true;
    if (within.kind !== 'param') {
      return within.parameters.some((part) => this.#occurs(variable, part));
    }
    const bound = this.#bound.get(within.name);
    return bound !== undefined && this.#occurs(variable, bound);
  }
}

function isWild({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNullable({ kind }: Type): boolean {
  return (
    kind === 'null' ||
    kind === 'opaque' ||
    kind === 'struct' ||
    kind === 'duration' ||
    kind === 'timestamp'
  );
}

/** Returns that one of two types that fit together which says less. */
export function moreGeneral(left: Type, right: Type): Type {
  return saysLess(left, right) ? left : right;
}

function saysLess(left: Type, right: Type): boolean {
  if (isDyn(left) || left.kind === 'param') return true;
  if (isDyn(right) || right.kind === 'param' || left.kind !== right.kind) return false;
  if (left.kind === 'type') return true;
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((part, index) => saysLess(part, right.parameters[index] ?? ERROR))
  );
}
