/** The completion of a word: a fixed list, or a lookup. */
export type Candidates =
  | 'context'
  | 'directory'
  | 'file'
  | 'kind'
  | 'namespace'
  | 'none'
  | readonly string[];

interface FlagBase {
  /** A description in lower case, without a full stop. */
  readonly about: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** The section in the help. Default `Flags`. */
  readonly section?: string;
  /** The completion of its value. Default: none. */
  readonly complete?: Candidates;
}

/** `--flag`, `--flag=false`. Default false, unless optional. */
export interface BooleanFlag extends FlagBase {
  readonly type: 'boolean';
  readonly default?: boolean;
  /** Undefined if not set. */
  readonly optional?: true;
}

/** `--flag VALUE`. */
export interface StringFlag extends FlagBase {
  readonly type: 'string';
  /** The placeholder in the help: `FILE`. */
  readonly value: string;
  readonly default?: string;
}

/** A non-negative integer. */
export interface IntegerFlag extends FlagBase {
  readonly type: 'integer';
  readonly value: string;
  readonly default?: number;
  readonly max?: number;
}

/** A duration: `90s`, `1h30m`, or seconds. Parsed to milliseconds. */
export interface DurationFlag extends FlagBase {
  readonly type: 'duration';
  /** In milliseconds. */
  readonly default?: number;
}

/** One of several words, in any case. Parsed to the word as it is listed. */
export interface ChoiceFlag extends FlagBase {
  readonly type: 'choice';
  readonly value: string;
  readonly choices: readonly string[];
  readonly default?: string;
}

/** A repeatable flag. */
export interface ListFlag extends FlagBase {
  readonly type: 'list';
  readonly value: string;
  /** True if a value may list several, separated by commas. */
  readonly commas?: true;
}

/** The description of a flag. */
export type Flag = BooleanFlag | ChoiceFlag | DurationFlag | IntegerFlag | ListFlag | StringFlag;

/** Flags by long name, without dashes. */
export type Flags = Readonly<Record<string, Flag>>;

type Scalar<F extends Flag> = F extends { readonly type: 'duration' | 'integer' }
  ? number
  : F extends { readonly type: 'choice'; readonly choices: readonly (infer C)[] }
    ? C
    : string;

/** The parsed type of a flag. */
export type FlagValue<F extends Flag> = F extends { readonly type: 'list' }
  ? readonly string[]
  : F extends { readonly type: 'boolean' }
    ? F extends { readonly optional: true }
      ? boolean | undefined
      : boolean
    : F extends { readonly default: number | string }
      ? Scalar<F>
      : Scalar<F> | undefined;

/** The parsed types of flags. */
export type FlagValues<F extends { readonly [K in keyof F]: Flag }> = {
  readonly [K in keyof F]: FlagValue<F[K]>;
};

/** The flags of every command. */
export const universalFlags: Readonly<Record<'debug' | 'help', BooleanFlag>> = {
  debug: { type: 'boolean', about: 'print the stack traces of errors', section: 'Every command' },
  help: {
    type: 'boolean',
    short: 'h',
    about: 'print this help',
    section: 'Every command',
  },
};
