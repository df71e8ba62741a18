/** A field of a Go struct that JSON knows. */
export interface GoField {
  /** The name in JSON. Empty for an embedded struct whose fields count as those of the outer one. */
  readonly name: string;
  /** The type as it is written: `*metav1.Time`, `[]string`, `map[string]ExtraValue`. */
  readonly type: string;
  /** `omitempty` or `omitzero`, if the tag has one. */
  readonly omit?: 'empty' | 'zero';
}

/** A constant text: its type, and its value or the constant that it is converted from. */
export interface GoConstant {
  readonly type: string;
  readonly value?: string;
  readonly from?: string;
}

/** The declarations of one Go package, as far as API types need them. */
export interface GoPackage {
  /** The name in the package clause, which error messages print before the names of types. */
  readonly name: string;
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  /** Types that are not structs → what they are defined as: `UID` → `string`. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Other names of types → what they stand for: `MatchCondition` → `v1.MatchCondition`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Types marked with `+enum`. */
  readonly enums: ReadonlySet<string>;
  readonly constants: ReadonlyMap<string, GoConstant>;
  /** Local names of imports → import paths. */
  readonly imports: ReadonlyMap<string, string>;
}

const FIELD = /^\t(?:(\w+)[ \t]+)?([\w.*[\]{}]+)[ \t]+`.*?json:"([^",]*)((?:,\w+)*)"/;
const EMBEDDED = /^\t\*?[\w.]+[ \t]+`/;
const CONSTANT =
  /^(?:const\s+|\t)(\w+)(?:\s+(\w+))?\s*=\s*(?:(\w+)\()?(?:"([^"]*)"|([\w.]+))\)?(?:\s*\/\/.*)?$/gm;
const TYPE = /((?:^\/\/.*\n)*)^type (\w+) (= )?(?!struct\b|interface\b|func\b)(\S+)$/gm;
const IMPORT = /^(?:import\s+|\t)(?:(\w+)\s+)?"([\w./-]+)"$/gm;

/**
 * Reads the declarations of a package from its files. This is no parser of Go: it relies on gofmt
 * and on how Kubernetes writes its API types, with a `json` tag on every field.
 */
export function readGoPackage(files: readonly string[]): GoPackage {
  const structs = new Map<string, readonly GoField[]>();
  const definitions = new Map<string, string>();
  const aliases = new Map<string, string>();
  const enums = new Set<string>();
  const constants = new Map<string, GoConstant>();
  const imports = new Map<string, string>();
  for (const text of files) {
    for (const [, local, path = ''] of text.matchAll(IMPORT)) {
      imports.set(local ?? path.slice(path.lastIndexOf('/') + 1), path);
    }
    for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm)) {
      structs.set(name, fieldsIn(body));
    }
    for (const [, comment = '', name = '', alias, definition = ''] of text.matchAll(TYPE)) {
      (alias === undefined ? definitions : aliases).set(name, definition);
      if (/^\/\/ \+enum$/m.test(comment)) enums.add(name);
    }
    for (const [, name = '', declared, converted, value, from] of text.matchAll(CONSTANT)) {
      const type = converted ?? declared ?? '';
      constants.set(name, value === undefined ? { type, from: from ?? '' } : { type, value });
    }
  }
  const [, name = ''] = /^package (\w+)/m.exec(files[0] ?? '') ?? [];
  return { name, structs, definitions, aliases, enums, constants, imports };
}

function fieldsIn(body: string): GoField[] {
  return body.split('\n').flatMap((line) => {
    const [, , type = '', name = '', options = ''] = FIELD.exec(line) ?? [];
    if (type === '' || name === '-') return [];
    const isInline = options.includes(',inline') || (name === '' && EMBEDDED.test(line));
    // A tag with both omits what either would omit, and `omitzero` includes structs.
    const zero = options.includes(',omitzero') && ({ omit: 'zero' } as const);
    const empty = options.includes(',omitempty') && ({ omit: 'empty' } as const);
    return [{ name: isInline ? '' : name, type, ...(zero || empty) }];
  });
}
