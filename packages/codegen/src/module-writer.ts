import { bracketed, type Doc, hardline, join, print } from './doc.ts';
import { NameScope } from './names.ts';

interface ImportedName {
  readonly name: string;
  readonly local: string;
}

/** Builds one TypeScript module: its imports, its names, its declarations. */
export class ModuleWriter {
  /** Names of types, imported and declared. */
  readonly types: NameScope = new NameScope();
  /** Names of constants. */
  readonly values: NameScope = new NameScope();
  readonly #header: string;
  readonly #imports = new Map<string, Map<string, ImportedName>>();
  readonly #declarations: Doc[] = [];

  /** The header is a comment of one or more lines, without comment marks. */
  constructor(header: string) {
    this.#header = header;
  }

  /** Imports a type once. Returns its name in this module, which differs if the name is taken. */
  importType(specifier: string, name: string): string {
    const names = this.#imports.get(specifier) ?? new Map<string, ImportedName>();
    this.#imports.set(specifier, names);
    const known = names.get(name);
    if (known !== undefined) return known.local;
    const local = this.types.claim(name);
    names.set(name, { name, local });
    return local;
  }

  /** Adds a declaration. Declarations keep their order. */
  declare(declaration: Doc): void {
    this.#declarations.push(declaration);
  }

  /** Returns the text of the module. */
  toString(): string {
    const header = this.#header.split('\n').map((content) => `// ${content}`);
    const imports = [...this.#imports].toSorted(([left], [right]) => compare(left, right));
    const blocks: Doc[] = [join(hardline, header)];
    if (imports.length > 0) blocks.push(join(hardline, imports.map(importDoc)));
    blocks.push(...this.#declarations);
    return `${print(join([hardline, hardline], blocks))}\n`;
  }
}

function importDoc([specifier, names]: [string, ReadonlyMap<string, ImportedName>]): Doc {
  const items = [...names.values()]
    .toSorted((left, right) => compare(left.name, right.name))
    .map(({ name, local }) => (name === local ? name : `${name} as ${local}`));
  return ['import type ', bracketed('{', items, '}', ' '), ` from '${specifier}';`];
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
