import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { type CrdSource, generateFromCluster, generateFromCrds } from '@client-ts/codegen';
import { createTransport } from 'client-ts/transport';

import { CliError } from '../frame/cli-error.ts';
import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { writeFiles } from './write-files.ts';

/** The source of modules: files with definitions, or a server. */
export type GenerateSource =
  | { readonly files: readonly string[] }
  | { readonly groups: readonly string[]; readonly connection: ConnectionValues };

/** Writes the modules and prints their paths. On an error nothing is written. */
export async function generateModules(
  directory: string,
  source: GenerateSource,
  context: CommandContext,
): Promise<void> {
  const modules =
    'files' in source
      ? await fromFiles(source.files, context)
      : await fromServer(source.groups, source.connection, context);
  await writeFiles(resolve(context.workingDirectory, directory), modules);
  for (const path of modules.keys()) context.out(printable(join(directory, path)));
}

async function fromFiles(
  names: readonly string[],
  context: CommandContext,
): Promise<Map<string, string>> {
  const sources = await Promise.all(
    names.map(async (name): Promise<CrdSource> => {
      if (name === '-') return { name: 'standard input', text: await context.readInput() };
      try {
        return { name, text: await readFile(resolve(context.workingDirectory, name), 'utf8') };
      } catch (cause) {
        throw new CliError('CLI_FILE_UNREADABLE', `cannot read ${name}: ${messageOf(cause)}`, {
          cause,
        });
      }
    }),
  );
  return generateFromCrds(sources, { onSkip: (note) => context.err(printable(note)) });
}

async function fromServer(
  groups: readonly string[],
  connection: ConnectionValues,
  context: CommandContext,
): Promise<Map<string, string>> {
  const config = await configFor(connection, context);
  context.err(`Connecting to ${config.server}`);
  await using transport = createTransport(config);
  return await generateFromCluster(transport, {
    ...(groups.length > 0 && { groups }),
    onProgress: (message) => context.err(printable(message)),
    signal: context.signal,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
