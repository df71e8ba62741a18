import { UsageError } from '../frame/usage-error.ts';

/** An escaped character, or one that is not special. */
const field = /^(?:\\.|[^.[\](){}\s\\,|+*"'?@])+$/u;

/**
 * Parses `pods.spec.containers` to its fields. Dots that belong to a field are escaped as in
 * JSONPath. Throws {@link UsageError} for indices, wildcards and other operators.
 */
export function parseFieldPath(text: string): string[] {
  const path = text.endsWith('.') ? text.slice(0, -1) : text;
  const fields = path.split(/(?<!\\)\./u);
  const wrong = fields.find((each) => !field.test(each));
  if (wrong !== undefined) {
    throw new UsageError(`"${text}" must be TYPE.FIELD.FIELD, without indices and wildcards`);
  }
  return fields.map((each) => each.replaceAll(/\\(.)/gu, '$1'));
}
