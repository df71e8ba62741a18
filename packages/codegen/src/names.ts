/** Words that cannot name a `const` in a module. */
const reservedWords: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval
  export extends false finally for function globalThis if implements import in instanceof interface let new
  null package private protected public return static super switch this throw true try typeof undefined
  var void while with yield`.split(/\s+/),
);

/** `spec.pod-template` → `SpecPodTemplate`: letters and digits only, each word with a capital. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `N${name}`;
}

/**
 * Returns the name of a resource in code: the plural with the capitals of the kind. `NetworkPolicy`
 * and `networkpolicies` become `networkPolicies`, `CSINode` and `csinodes` become `csiNodes`.
 */
export function resourceVariable(kind: string, plural: string): string {
  const capitals = pascalCase(kind);
  const letters = plural.replaceAll(/[^a-z0-9]/g, '');
  let shared = 0;
  while (shared < letters.length && capitals[shared]?.toLowerCase() === letters[shared]) shared++;
  const name = lowerFirstWord(capitals.slice(0, shared)) + letters.slice(shared);
  if (!/^[A-Za-z]/.test(name)) return `n${name}`;
  return reservedWords.has(name) ? `${name}Resource` : name;
}

/** `NetworkPolicy` → `networkPolicy`, `CSINode` → `csiNode`, `APIService` → `apiService`. */
function lowerFirstWord(name: string): string {
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (word) => word.toLowerCase());
}

/** Returns a string as a TypeScript literal, in single quotes unless double quotes need fewer escapes. */
export function stringLiteral(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return inner.includes("'") && !inner.includes('"')
    ? `"${inner}"`
    : `'${inner.replaceAll("'", String.raw`\'`)}'`;
}

/** Returns a property name for an interface or object, quoted only if necessary. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : stringLiteral(name);
}

/** The names of one module. A name that is claimed twice gets a number. */
export class NameScope {
  readonly #taken = new Set<string>();

  /** Returns the wanted name, or the first of `name2`, `name3`, … that is free. */
  claim(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }

  /** True once the name is claimed. */
  has(name: string): boolean {
    return this.#taken.has(name);
  }
}
