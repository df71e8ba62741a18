import type { CommandContext } from './context.ts';
import type { Candidates, Flags, FlagValues } from './flags.ts';

/** A positional argument. */
export interface Positional {
  /** As in the usage line: `NAME`. */
  readonly name: string;
  readonly about: string;
  /** What completion offers; default nothing. */
  readonly complete?: Candidates;
}

/** An example of a command. */
export interface Example {
  /** A description, in lower case, without a full stop. */
  readonly about: string;
  /** The command line. */
  readonly line: string;
}

/** A parsed command line. */
export interface Call<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly positionals: readonly string[];
  /** The flags that were set, by long name. */
  readonly given: ReadonlySet<string>;
}

/** The description of a command, from which parsing, help, completion and docs are derived. */
export interface CommandDescription<F extends Flags = Flags> {
  /** The word after `client-ts`. */
  readonly name: string;
  /** One line for the list of commands, in lower case. */
  readonly summary: string;
  /** The forms of the command, one per line, without `[flags]`. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly examples: readonly Example[];
  readonly flags: F;
  /** In order; the last one may be repeated. Default: none. */
  readonly positionals?: readonly Positional[];
  /** The minimum number of positionals. Default 0. */
  readonly required?: number;
  /** The maximum number of positionals. Default: no limit, or 0 if none are described. */
  readonly most?: number;
  /** Not listed, only used by other programs. */
  readonly hidden?: true;
  /** The first Node that can run it, if it needs more than the rest: `22.13.0`. */
  readonly node?: string;
}

/** One word after `client-ts`. */
export interface Command extends CommandDescription {
  run(call: Call<Flags>, context: CommandContext): Promise<void>;
}

/** A command before the types of its flags are forgotten. */
export interface TypedCommand<F extends Flags> extends CommandDescription<F> {
  /**
   * Does the work; throws `UsageError` for a wrong call, anything else for a failure. Imports what
   * it needs when it is called, so that `--help` does not wait for it.
   */
  run(call: Call<F>, context: CommandContext): Promise<void>;
}

/**
 * Describes a command. Inside `run`, the flags have the types that were described.
 *
 * ```ts
 * export const hello: Command = defineCommand({
 *   name: 'hello',
 *   summary: 'greet a person',
 *   usage: ['NAME'],
 *   about: ['Greets.'],
 *   examples: [{ about: 'greet the world', line: 'client-ts hello world' }],
 *   flags: { loud: { type: 'boolean', about: 'in capitals' } },
 *   positionals: [{ name: 'NAME', about: 'whom' }],
 *   required: 1,
 *   run: async ({ flags, positionals }, context) => {
 *     const { greet } = await import('../hello/greet.ts');
 *     context.out(greet(positionals[0], { loud: flags.loud }));
 *   },
 * });
 * ```
 */
export function defineCommand<const F extends Flags>(command: TypedCommand<F>): Command {
  return {
    ...command,
    // The parser guarantees the type of every flag.
    run: (call, context) => command.run(call as Call<F>, context),
  };
}
