import type { CommandContext } from './context.ts';
import type { Candidates, Flags, FlagValues } from './flags.ts';

/** What stands on the command line besides flags. */
export interface Positional {
  /** As in the usage line: `NAME`. */
  readonly name: string;
  readonly about: string;
  /** What completion offers; default nothing. */
  readonly complete?: Candidates;
}

/** How a command is used, and what for. */
export interface Example {
  /** What it is good for, in lower case, without a full stop. */
  readonly about: string;
  /** As it is typed, one line. */
  readonly line: string;
}

/** One call of a command, read. */
export interface Call<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly positionals: readonly string[];
  /** The flags that were written, by their long names. */
  readonly given: ReadonlySet<string>;
}

/** Everything there is to say about a command: parsing, help, completion and the docs come from it. */
export interface CommandDescription<F extends Flags = Flags> {
  /** The word after `client-ts`. */
  readonly name: string;
  /** One line in the list of commands, in lower case. */
  readonly summary: string;
  /** What may follow the name, one way of calling per line. `[flags]` is not part of it. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly examples: readonly Example[];
  readonly flags: F;
  /** In order; the last one may come any number of times. None: there may be none. */
  readonly positionals?: readonly Positional[];
  /** The least number of positionals; default 0. */
  readonly required?: number;
  /** The most positionals; default: as many as anybody likes, or none if none are described. */
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
 *   summary: 'greet somebody',
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
    // The parser gives every flag the type that its description says.
    run: (call, context) => command.run(call as Call<F>, context),
  };
}
