/** The command was called in a way that it does not know: exit code 2, and a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
