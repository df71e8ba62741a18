import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Clock, type Environment, onAbort } from '../lib/index.ts';

/** The output of a plugin is small; more than this is a mistake. */
const LONGEST_OUTPUT = 1024 * 1024;

export interface PluginRun {
  /** A path, or a name that is looked up in the `PATH` of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  /** The environment that the plugin gets. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** True if the plugin may ask questions on the terminal. */
  readonly isInteractive: boolean;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Why a plugin gave no output. The message is the rest of a sentence, and quotes no argument. */
export class PluginFailure extends Error {
  readonly isMissing: boolean;

  constructor(problem: string, { cause, isMissing = false }: PluginFailureOptions = {}) {
    super(problem, cause === undefined ? {} : { cause });
    this.isMissing = isMissing;
  }
}

interface PluginFailureOptions {
  readonly cause?: unknown;
  readonly isMissing?: boolean;
}

/**
 * Runs a credential plugin to its end and returns what it prints. The plugin is killed when it
 * exceeds its time or prints too much, and when the signal aborts; then its output is closed too,
 * so that a child of it that goes on printing ends as well. Throws a {@link PluginFailure}.
 */
export async function runPlugin(run: PluginRun): Promise<string> {
  refuseNul(run);
  const file = await findProgram(run.command, run.env);
  run.signal.throwIfAborted();
  const { args, clock, isInteractive, signal, timeoutMs, variables } = run;
  const ties: Disposable[] = [];
  try {
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(file, [...args], {
        env: { ...variables },
        // Questions and complaints of the plugin go to the person at the terminal.
        stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      const kill = (reason: unknown): void => {
        child.kill('SIGKILL');
        child.stdout.destroy();
        reject(reason);
      };
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > LONGEST_OUTPUT) kill(new PluginFailure('printed too much to be a credential'));
      });
      child.on('error', (error) => reject(startFailure(error)));
      child.once('close', (code, signalName) => {
        if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else {
          const how = code === null ? `signal ${signalName}` : `code ${code}`;
          reject(new PluginFailure(`ended with ${how}`));
        }
      });
      ties.push(
        clock.schedule(timeoutMs, () =>
          kill(new PluginFailure(`did not end within ${timeoutMs / 1000} s and was killed`)),
        ),
        onAbort(signal, () => kill(signal.reason)),
      );
    });
  } catch (error) {
    // Node throws some failures to start a program instead of emitting them.
    throw error instanceof PluginFailure || signal.aborted ? error : startFailure(error);
  } finally {
    for (const tie of ties) tie[Symbol.dispose]();
  }
}

/** Node would throw a TypeError that quotes the argument. */
function refuseNul({ command, args, variables }: PluginRun): void {
  const fail = (what: string): never => {
    throw new PluginFailure(`cannot be started: ${what} contains a NUL character`);
  };
  if (command.includes('\0')) fail('its command');
  for (const [index, argument] of args.entries()) {
    if (argument.includes('\0')) fail(`args[${index}]`);
  }
  for (const [name, value = ''] of Object.entries(variables)) {
    if (`${name}${value}`.includes('\0')) fail('a variable of its environment');
  }
}

/** Keeps what is useful of an error of `spawn`; it also holds the arguments, which may be secrets. */
function startFailure(error: unknown): PluginFailure {
  if (!(error instanceof Error)) return new PluginFailure('could not be started');
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const cause = Object.assign(new Error(error.message), { code, syscall, path });
  return new PluginFailure('could not be started', { cause, isMissing: code === 'ENOENT' });
}

/**
 * Looks a name up in the PATH, by Go's rules: a program that is found through a relative entry, an
 * empty one included, is refused, because whoever can write to the working directory could have put
 * it there.
 */
async function findProgram(command: string, env: Environment): Promise<string> {
  if (/[\\/]/.test(command)) return command;
  const extensions =
    process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE').split(';')] : [''];
  const path = env['PATH'] ?? env['Path'] ?? '';
  for (const folder of path === '' ? [] : path.split(delimiter)) {
    for (const extension of extensions) {
      const file = join(folder, command + extension);
      if (!(await isProgram(file))) continue;
      if (isAbsolute(file)) return file;
      throw new PluginFailure(
        'was found in the working directory, because the PATH has a relative or an empty entry',
      );
    }
  }
  throw new PluginFailure('was not found in the PATH', { isMissing: true });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
