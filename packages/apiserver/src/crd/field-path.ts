import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { getKey } from 'client-ts/internal';

/** The result of resolving a path, or why it does not resolve. */
export interface FieldPathReading {
  /** The schema at the end of the path. */
  readonly schema?: JSONSchemaProps;
  /** The path as errors write it: `spec.color`, `spec.labels[x]`. */
  readonly path?: string;
  readonly problem?: string;
}

/** Resolves a path such as `.spec.color` or `.labels['x']` in a schema. */
export function validFieldPath(
  jsonPath: string,
  root: JSONSchemaProps,
  { allowBrackets = true }: { readonly allowBrackets?: boolean } = {},
): FieldPathReading {
  const tokens = jsonPath.match(/'(?:[^'\\]|\\[\s\S])*'|[.[\]]|[^.[\]]+/g) ?? [];
  const end = 'unexpected end of JSON path';
  let schema = root;
  let path = '';
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    let name = tokens[++index];
    if (token === '[') {
      if (!allowBrackets) return { problem: 'array notation is not allowed' };
      if (name === undefined) return { problem: end };
      if (!/^'[\s\S]*'$/.test(name) || name.length < 2) {
        return { problem: `expected single quoted string but got ${name}` };
      }
      name = name.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1');
      const close = tokens[++index];
      if (close !== ']')
        return { problem: close === undefined ? end : `expected ] but got ${close}` };
    } else if (token !== '.') {
      return { problem: `expected [ or . but got: ${token}` };
    }
    if (name === undefined) return { problem: end };
    const next = step(schema, name);
    if (next === undefined) return { problem: 'does not refer to a valid field' };
    path += next.isNamed ? `${path === '' ? '' : '.'}${name}` : `[${name}]`;
    schema = next.schema;
  }
  return { schema, path };
}

function step(
  { properties, additionalProperties }: JSONSchemaProps,
  name: string,
): { schema: JSONSchemaProps; isNamed: boolean } | undefined {
  if (properties !== undefined) {
    const schema = getKey(properties, name);
    return schema && { schema, isNamed: true };
  }
  if (additionalProperties === undefined) return undefined;
  const schema = typeof additionalProperties === 'boolean' ? {} : additionalProperties;
  return { schema, isNamed: false };
}
