/**
 * Names that every object answers to without having them, in the order of their bytes. All of them are
 * valid keys of a ConfigMap.
 */
export const inheritedNames: readonly string[] = [
  '__defineGetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
];

/** A map with each of the {@link inheritedNames} as an own key. */
export function withInheritedNames(value: string): Record<string, string> {
  return Object.fromEntries(inheritedNames.map((name) => [name, value]));
}
