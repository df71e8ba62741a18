const digit = /\p{Nd}/u;
const letter = /\p{L}/u;

/**
 * The key order of Go's YAML: numbers within names are compared as numbers, so that `web-9`
 * precedes `web-10`, and letters come last.
 */
export function compareNaturally(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  let inNumber = false;
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const ours = a[index] ?? '';
    const theirs = b[index] ?? '';
    if (ours === theirs) {
      inNumber = digit.test(ours);
      continue;
    }
    const isLetter = letter.test(ours);
    const isOtherLetter = letter.test(theirs);
    if (isLetter && isOtherLetter) return ours < theirs ? -1 : 1;
    // Within a number, a letter ends it; elsewhere, signs and digits precede letters.
    if (isLetter || isOtherLetter) return isLetter === inNumber ? -1 : 1;
    return compareNumbers(a, b, index);
  }
  return a.length - b.length;
}

function compareNumbers(a: readonly string[], b: readonly string[], index: number): number {
  const ours = numberAt(a, index);
  const theirs = numberAt(b, index);
  if (ours.value !== theirs.value) return ours.value - theirs.value;
  if (ours.length !== theirs.length) return ours.length - theirs.length;
  return (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

/** The digits from here on; equal digits before them count unless they are zeros. */
function numberAt(
  characters: readonly string[],
  index: number,
): { readonly value: number; readonly length: number } {
  let end = index;
  while (digit.test(characters[end] ?? '')) end += 1;
  let start = index;
  while (digit.test(characters[start - 1] ?? '')) start -= 1;
  const isContinued = characters.slice(start, index).some((character) => character !== '0');
  const digits = characters.slice(index, end).join('');
  return { value: Number(`${isContinued ? '1' : ''}${digits}`), length: end - index };
}
