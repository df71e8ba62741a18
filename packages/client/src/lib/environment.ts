/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process as it is now. Everything outside `lib/` and `clientcmd/` takes an
 * {@link Environment}, so that a test can say what is in it.
 */
export function systemEnvironment(): Environment {
  return process.env;
}
