/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of this process. Everything outside `lib/` and `clientcmd/` takes an
 * {@link Environment}, so that tests control it.
 */
export function systemEnvironment(): Environment {
  return process.env;
}
