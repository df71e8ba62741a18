/** What the shell offers for a word: a fixed list, or something that has to be looked up. */
export type Candidates =
  | 'context'
  | 'directory'
  | 'file'
  | 'kind'
  | 'namespace'
  | 'none'
  | readonly string[];

interface FlagBase {
  /** One sentence in lower case, without a full stop. */
  readonly about: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** The heading it stands under in the help; default `Flags`. */
  readonly section?: string;
  /** What completion offers for its value; default nothing. */
  readonly complete?: Candidates;
}

/** `--flag`, `--flag=false`. False unless there is a default or it is optional. */
export interface BooleanFlag extends FlagBase {
  readonly type: 'boolean';
  readonly default?: boolean;
  /** Undefined means that nobody said anything. */
  readonly optional?: true;
}

/** `--flag VALUE`. */
export interface StringFlag extends FlagBase {
  readonly type: 'string';
  /** What stands for the value in the help: `FILE`. */
  readonly value: string;
  readonly default?: string;
}

/** A whole number that is not negative. */
export interface IntegerFlag extends FlagBase {
  readonly type: 'integer';
  readonly value: string;
  readonly default?: number;
  readonly max?: number;
}

/** A length of time: `90s`, `1h30m`, or a number of seconds. Read as milliseconds. */
export interface DurationFlag extends FlagBase {
  readonly type: 'duration';
  /** In milliseconds. */
  readonly default?: number;
}

/** One of several words. */
export interface ChoiceFlag extends FlagBase {
  readonly type: 'choice';
  readonly value: string;
  readonly choices: readonly string[];
  readonly default?: string;
}

/** Can be repeated. */
export interface ListFlag extends FlagBase {
  readonly type: 'list';
  readonly value: string;
  /** True if one value may name several, divided by commas. */
  readonly commas?: true;
}

/** How one flag is written, read, explained and completed. */
export type Flag = BooleanFlag | ChoiceFlag | DurationFlag | IntegerFlag | ListFlag | StringFlag;

/** Flags by their long names, without the dashes. */
export type Flags = Readonly<Record<string, Flag>>;

type Scalar<F extends Flag> = F extends { readonly type: 'duration' | 'integer' }
  ? number
  : F extends { readonly type: 'choice'; readonly choices: readonly (infer C)[] }
    ? C
    : string;

/** What a flag is read as. */
export type FlagValue<F extends Flag> = F extends { readonly type: 'list' }
  ? readonly string[]
  : F extends { readonly type: 'boolean' }
    ? F extends { readonly optional: true }
      ? boolean | undefined
      : boolean
    : F extends { readonly default: number | string }
      ? Scalar<F>
      : Scalar<F> | undefined;

/** What all flags of a command are read as. */
export type FlagValues<F extends { readonly [K in keyof F]: Flag }> = {
  readonly [K in keyof F]: FlagValue<F[K]>;
};

/** The flags that every command has. */
export const universalFlags: Readonly<Record<'debug' | 'help', BooleanFlag>> = {
  debug: { type: 'boolean', about: 'show the whole story of an error', section: 'Every command' },
  help: {
    type: 'boolean',
    short: 'h',
    about: 'what the command does and how, with examples',
    section: 'Every command',
  },
};
