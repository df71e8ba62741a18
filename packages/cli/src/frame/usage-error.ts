/** A mistake on the command line: exit code 2, with a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
