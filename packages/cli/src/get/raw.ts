import { RESTClient } from 'client-ts/rest';

import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printableLines } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';

/** Options of `client-ts get --raw`. */
export interface RawOptions {
  readonly connection: ConnectionValues;
  /** A path with its query: `/readyz?verbose`. */
  readonly path: string;
}

/** Prints the response to a GET as it arrives, escaped on a terminal and unchanged otherwise. */
export async function getRaw(
  { connection, path }: RawOptions,
  context: CommandContext,
): Promise<void> {
  if (!path.startsWith('/') || path.startsWith('//')) {
    throw new UsageError(`--raw needs a path that begins with one slash, not ${path}`);
  }
  const { stdout, signal } = context;
  await using rest = new RESTClient(await configFor(connection, context));
  const decoder = new TextDecoder();
  for await (const bytes of rest.get().requestUri(path).stream({ signal })) {
    stdout.write(stdout.isTTY ? printableLines(decoder.decode(bytes, { stream: true })) : bytes);
    await stdout.drained();
  }
}
