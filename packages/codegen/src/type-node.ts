import { type Doc, group, ifBroken, indent, join, line, softline } from './doc.ts';
import { stringLiteral } from './names.ts';

/** A TypeScript type before printing. */
export type TypeNode =
  | { readonly kind: 'array'; readonly item: TypeNode }
  | { readonly kind: 'generic'; readonly name: string; readonly args: readonly TypeNode[] }
  | { readonly kind: 'map'; readonly value: TypeNode }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] };

/** A type that is one word: a keyword, a name, a literal. */
export function named(name: string): TypeNode {
  return { kind: 'name', name };
}

/** Returns a flat union without repetitions. A union of one member is that member. */
export function unionOf(members: readonly TypeNode[]): TypeNode {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]));
  const seen = new Map(flat.map((member) => [JSON.stringify(member), member]));
  const [only, ...others] = seen.values();
  if (only === undefined) return named('never');
  return others.length === 0 ? only : { kind: 'union', members: [only, ...others] };
}

/** Returns a union of string literals. */
export function literals(values: readonly string[]): TypeNode {
  return unionOf(values.map((value) => named(stringLiteral(value))));
}

/** Returns a type in a place where it needs no line of its own. */
export function typeDoc(type: TypeNode): Doc {
  switch (type.kind) {
    case 'name':
      return type.name;
    case 'array':
      return type.item.kind === 'union'
        ? group('(', indent(softline, unionDoc(type.item.members)), softline, ')[]')
        : [typeDoc(type.item), '[]'];
    case 'generic': {
      const [only, ...others] = type.args;
      if (only !== undefined && others.length === 0 && only.kind !== 'union') {
        return [`${type.name}<`, typeDoc(only), '>'];
      }
      const args = join([',', line], type.args.map(typeDoc));
      return group(`${type.name}<`, indent(softline, args), softline, '>');
    }
    case 'map':
      return ['{ [key: string]: ', typeDoc(type.value), ' }'];
    case 'union':
      return group(unionDoc(type.members));
  }
}

/** Returns a type after `name:` or `name =`, with the space before it. A long union gets its own lines. */
export function assignedTypeDoc(type: TypeNode): Doc {
  return type.kind === 'union' ? group(indent(line, unionDoc(type.members))) : [' ', typeDoc(type)];
}

function unionDoc(members: readonly TypeNode[]): Doc {
  return [ifBroken('| '), join([line, '| '], members.map(typeDoc))];
}
