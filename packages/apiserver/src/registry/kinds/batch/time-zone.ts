/** The words for what is wrong with the name of a time zone; none if there is one of that name. */
export function timeZoneProblem(name: string): string | undefined {
  return name === '' || name === 'UTC' || name === 'Local' || isKnownTimeZone(name)
    ? undefined
    : `unknown time zone ${name}`;
}

/** The names are those of files, so capitals matter; offsets such as `+01` are no names. */
function isKnownTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
