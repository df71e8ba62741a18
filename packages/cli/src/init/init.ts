import { access, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { validateDns1123Label } from 'client-ts/meta';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { versionOfCommand } from '../frame/version.ts';
import { writeFiles } from '../generate/write-files.ts';
import { declaredProject } from './declared-project.ts';
import { definedProject } from './defined-project.ts';
import { manifestFiles } from './manifests.ts';
import { type Dependencies, kebabCase } from './project.ts';
import { projectFiles } from './project-files.ts';
import { sourceFiles } from './sources.ts';

/** The flags of `client-ts init`. */
export interface InitOptions {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
  readonly crd?: string | undefined;
  readonly packages?: string | undefined;
}

/** Creates a project in a new directory and prints its files and what to do next. */
export async function initProject(
  name: string,
  options: InitOptions,
  context: CommandContext,
): Promise<void> {
  const problems = validateDns1123Label(name);
  if (problems.length > 0) throw new UsageError(`${printable(name)}: ${problems.join('; ')}`);
  const directory = resolve(context.workingDirectory, name);
  await checkEmpty(directory, name);
  const dependencies = await dependenciesOf(options.packages, directory, context);
  const { project, modules } =
    options.crd === undefined
      ? { project: declaredProject(name, options, dependencies), modules: [] }
      : await definedProject(name, options.crd, { kind: options.kind, dependencies, context });
  const files = new Map<string, string>([
    ...projectFiles(project),
    ...sourceFiles(project),
    ...modules,
    ...manifestFiles(project),
  ]);
  await writeFiles(directory, files);
  for (const path of files.keys()) context.out(join(name, path));
  const file = `src/${kebabCase(project.kind)}-controller.ts`;
  context.err(`\nNext:\n  cd ${name}\n  npm install\n  npm test\n\nThen edit ${file}.`);
  if (options.packages === undefined) {
    context.err(
      `If npm does not find the packages, remove ${name} and create it again with --packages.`,
    );
  }
}

async function checkEmpty(directory: string, name: string): Promise<void> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    const message = `cannot create ${name}: ${(error as Error).message}`;
    throw new CliError('CLI_FILE_UNWRITABLE', message, { cause: error });
  }
  if (entries.length === 0) return;
  throw new CliError('CLI_DIRECTORY_NOT_EMPTY', `${name} exists and is not empty`);
}

async function dependenciesOf(
  packages: string | undefined,
  directory: string,
  context: CommandContext,
): Promise<Dependencies> {
  const version = await versionOfCommand();
  if (packages === undefined) return { client: `^${version}`, apiserver: `^${version}` };
  const fileOf = async (name: string): Promise<string> => {
    const file = resolve(context.workingDirectory, packages, `${name}-${version}.tgz`);
    await access(file).catch((cause: unknown) => {
      const hint = 'Pack the packages into one directory: npm pack --workspaces in a clone.';
      throw new CliError('CLI_FILE_UNREADABLE', `cannot read ${file}`, { cause, hint });
    });
    return `file:${relative(directory, file)}`;
  };
  return { client: await fileOf('client-ts'), apiserver: await fileOf('client-ts-apiserver') };
}
