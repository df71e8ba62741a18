/** How many characters of one value or name a message repeats. */
export const LONGEST_QUOTE = 10_000;

/** A text for a message, cut off if it is long. */
export function shorten(text: string, most: number = LONGEST_QUOTE): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
