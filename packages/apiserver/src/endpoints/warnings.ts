/** The limits of a real server, in characters: of all warnings together, and of one beyond that. */
const TOTAL_LIMIT = 4 * 1024;
const ITEM_LIMIT = 256;

/**
 * The `Warning` headers for texts: each one once, those with control characters not at all. If
 * they are too long together each is cut, and what is beyond the limit even then is left out.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const sendable = [...new Set(texts)].filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  const whole = sendable.map((text) => Array.from(text));
  const total = whole.reduce((sum, { length }) => sum + length, 0);
  if (total <= TOTAL_LIMIT) return sendable.map(warningHeader);
  const headers: string[] = [];
  let written = 0;
  for (const characters of whole) {
    if (written >= TOTAL_LIMIT) break;
    const cut = characters.slice(0, ITEM_LIMIT);
    written += cut.length;
    headers.push(warningHeader(cut.join('')));
  }
  return headers;
}

function warningHeader(text: string): string {
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `299 - "${quoted}"`;
}
