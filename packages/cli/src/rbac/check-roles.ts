import { compareRoles, permissionsIn } from 'client-ts/rbac';

import { CommandExit } from '../frame/command-exit.ts';
import type { CommandContext } from '../frame/context.ts';
import { printableLines } from '../frame/printable.ts';
import { readManifests } from '../resources/manifests.ts';

/** The files of `client-ts rbac check`. */
export interface CheckRolesOptions {
  /** The recorded roles. */
  readonly used: string;
  /** The manifest that is deployed. */
  readonly shipped: string;
}

/** Prints how the shipped roles differ from the recorded ones. Exit code 1 if they do, 2 for errors. */
export async function checkRoles(
  { used, shipped }: CheckRolesOptions,
  context: CommandContext,
): Promise<void> {
  const { missing, excess } = await compare(used, shipped, context);
  for (const permission of missing) context.out(printableLines(`missing: ${permission}`));
  for (const permission of excess) context.out(printableLines(`not used: ${permission}`));
  if (missing.length + excess.length > 0) throw new CommandExit(1, { message: '' });
}

async function compare(
  used: string,
  shipped: string,
  context: CommandContext,
): Promise<ReturnType<typeof compareRoles>> {
  try {
    const recorded = permissionsIn(await readManifests([used], context, {}));
    return compareRoles(await readManifests([shipped], context, {}), recorded);
  } catch (error) {
    context.signal.throwIfAborted();
    throw new CommandExit(2, { cause: error });
  }
}
