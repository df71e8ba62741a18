/** What stands in for a secret. */
export const MASK = '<hidden>';

/**
 * Credentials that have a recognisable form: private keys, JSON web tokens, the value
 * after `Bearer` or `Basic`, user names and passwords in URLs, bootstrap tokens, and the value after
 * words such as `password=`.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, MASK],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, MASK],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/@:]{1,256}:[^\s/@]{1,256}@/gi, `$1${MASK}@`],
  [/\b[a-z\d]{6}\.[a-z\d]{16}\b/g, MASK],
  [
    /\b((?:access|api|auth|client|private|refresh|secret|id)?[_-]?(?:token|password|passwd|secret|apikey|secretkey|credential))(["']?\s*[=:]\s*["']?)[^\s"',;&<>]{3,}/gi,
    `$1$2${MASK}`,
  ],
];

/**
 * Returns a text in which credentials are replaced. It knows forms, not meanings: a password that looks
 * like a word, without a name in front of it, stays. So it is the second line of defence, for the
 * messages of errors and the notes of events; objects are redacted by their fields.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const [form, replacement] of FORMS) masked = masked.replace(form, replacement);
  return masked;
}
