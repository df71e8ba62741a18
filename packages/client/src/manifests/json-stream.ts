/**
 * Returns the values of a text of JSON objects, one after the other: `{} {}`. Undefined for a text
 * that is not JSON throughout; it may still be YAML.
 */
export function splitJson(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  try {
    for (let from = startOfObject(text, 0); from < text.length;) {
      const end = endOfObject(text, from);
      values.push(JSON.parse(text.slice(from, end)));
      from = startOfObject(text, end);
    }
  } catch {
    return undefined;
  }
  return values.length === 0 ? undefined : values;
}

/** Returns the position of the next object. Throws if something else comes first. */
function startOfObject(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(text);
  const { lastIndex } = space;
  if (lastIndex < text.length && text[lastIndex] !== '{') throw new SyntaxError('no object');
  return lastIndex;
}

/** Returns the position after the brace that closes the object. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let index = from; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth += 1;
    else if (!inString && character === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}
