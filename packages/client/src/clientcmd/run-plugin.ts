import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Clock, type Environment, onAbort } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';

/** Larger output is not a credential. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

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
  /** Returns the error to throw. `problem` completes a sentence, and quotes no argument. */
  readonly fail: (problem: string, options?: PluginFailureOptions) => ConfigError;
}

export interface PluginFailureOptions {
  readonly cause?: unknown;
  /** True if the program is not installed. */
  readonly isMissing?: boolean;
}

/**
 * Runs a credential plugin to its end and returns what it prints. The plugin is killed when it
 * exceeds its time limit or prints too much, and when the signal aborts; its output is then closed
 * as well, so that a child process that keeps printing ends too.
 */
export async function runPlugin(run: PluginRun): Promise<string> {
  refuseNul(run);
  const file = await findProgram(run);
  run.signal.throwIfAborted();
  const { args, clock, fail, isInteractive, signal, timeoutMs, variables } = run;
  const ties: Disposable[] = [];
  try {
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(file, [...args], {
        env: { ...variables },
        // Prompts and error messages of the plugin go to the terminal.
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
        if (size > MAX_OUTPUT_BYTES) kill(fail('printed too much to be a credential'));
      });
      child.on('error', (error) => reject(startFailure(error, fail)));
      child.once('close', (code, signalName) => {
        if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(fail(`exited with ${code === null ? `signal ${signalName}` : `code ${code}`}`));
      });
      ties.push(
        clock.schedule(timeoutMs, () =>
          kill(fail(`did not exit within ${timeoutMs / 1000} s and was killed`)),
        ),
        onAbort(signal, () => kill(signal.reason)),
      );
    });
  } catch (error) {
    // Node throws some failures to start a program instead of emitting them.
    throw error instanceof ConfigError || signal.aborted ? error : startFailure(error, fail);
  } finally {
    for (const tie of ties) tie[Symbol.dispose]();
  }
}

/** Node would throw a TypeError that quotes the argument. */
function refuseNul({ command, args, variables, fail }: PluginRun): void {
  const refuse = (what: string): never => {
    throw fail(`cannot be started: ${what} contains a NUL character`);
  };
  if (command.includes('\0')) refuse('its command');
  for (const [index, argument] of args.entries()) {
    if (argument.includes('\0')) refuse(`args[${index}]`);
  }
  for (const [name, value = ''] of Object.entries(variables)) {
    if (`${name}${value}`.includes('\0')) refuse('a variable of its environment');
  }
}

/** Keeps the harmless part of an error of `spawn`: it also holds the arguments, which may be secrets. */
function startFailure(error: unknown, fail: PluginRun['fail']): ConfigError {
  if (!(error instanceof Error)) return fail('could not be started');
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const cause = Object.assign(new Error(error.message), { code, syscall, path });
  return fail('could not be started', { cause, isMissing: code === 'ENOENT' });
}

/**
 * Looks up a name in the PATH, by Go's rules: a program that is found through a relative or empty
 * entry is refused, because anyone who can write to the working directory could have put it there.
 */
async function findProgram({ command, env, fail }: PluginRun): Promise<string> {
  if (/[\\/]/.test(command)) return command;
  const extensions =
    process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE').split(';')] : [''];
  const path = env['PATH'] ?? env['Path'] ?? '';
  for (const folder of path === '' ? [] : path.split(delimiter)) {
    for (const extension of extensions) {
      const file = join(folder, command + extension);
      if (!(await isProgram(file))) continue;
      if (isAbsolute(file)) return file;
      throw fail(
        'was found in the working directory, because the PATH has a relative or an empty entry',
      );
    }
  }
  throw fail('was not found in the PATH', { isMissing: true });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
