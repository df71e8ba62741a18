/** How many characters of one value or name a message quotes. */
export const LONGEST_QUOTE = 10_000;

/** Cuts a long text for a message. */
export function shorten(text: string, most: number = LONGEST_QUOTE): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
