/** How many characters of one value or name a message quotes. */
export const MAX_QUOTE_LENGTH = 10_000;

/** Cuts a long text for a message. */
export function shorten(text: string, most: number = MAX_QUOTE_LENGTH): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
