/** How many lists are shared. Names of fields come from outside and could exhaust memory. */
const maxLists = 10_000;
let lists = 0;

/**
 * A list of names that equal lists share: objects with the same fields need one list between them, and keep
 * only the values. Made by adding a name to a list, as V8 makes hidden classes.
 */
export class NameList<Name> {
  readonly length: number;
  readonly #last: Name | undefined;
  readonly #before: NameList<Name> | undefined;
  /** The lists with one more name. */
  #longer: Map<Name, NameList<Name>> | undefined;

  private constructor(last?: Name, before?: NameList<Name>) {
    this.length = before === undefined ? 0 : before.length + 1;
    this.#last = last;
    this.#before = before;
  }

  /** Returns a list without names; call it once for each purpose. */
  static empty<Name>(): NameList<Name> {
    return new NameList<Name>();
  }

  /** Returns the list with a further name. */
  with(name: Name): NameList<Name> {
    const known = this.#longer?.get(name);
    if (known !== undefined) return known;
    const longer = new NameList(name, this);
    if (lists >= maxLists) return longer;
    lists += 1;
    this.#longer ??= new Map();
    this.#longer.set(name, longer);
    return longer;
  }

  /** Returns the position of a name, -1 if the list does not have it. */
  indexOf(name: Name): number {
    if (this.#before === undefined) return -1;
    return this.#last === name ? this.length - 1 : this.#before.indexOf(name);
  }
}
