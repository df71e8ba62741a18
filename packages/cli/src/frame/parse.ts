import { getKey } from 'client-ts/internal';
import type { Call, CommandDescription } from './command.ts';
import { parseDuration } from './duration.ts';
import { type Flag, type Flags, universalFlags } from './flags.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

type Value = boolean | number | string | readonly string[];

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/**
 * Parses the arguments of a command by kubectl's rules: flags and positionals in any order, `--flag
 * value` and `--flag=value`, `-n value`, `-n=value` and `-nvalue`, combined short flags, and `--`
 * before arguments that look like flags. Throws {@link UsageError}.
 */
export function parseCall(description: CommandDescription, args: readonly string[]): Call<Flags> {
  const flags: Flags = { ...description.flags, ...universalFlags };
  const reader = new Reader(flags, args);
  reader.read();
  checkPositionals(description, reader.positionals);
  return {
    flags: withDefaults(flags, reader.values),
    positionals: reader.positionals,
    given: new Set(reader.values.keys()),
  };
}

class Reader {
  readonly positionals: string[] = [];
  readonly values = new Map<string, Value>();
  readonly #flags: Flags;
  readonly #pending: string[];

  constructor(flags: Flags, args: readonly string[]) {
    this.#flags = flags;
    this.#pending = [...args];
  }

  read(): void {
    for (let word = this.#pending.shift(); word !== undefined; word = this.#pending.shift()) {
      if (word === '--') {
        this.positionals.push(...this.#pending.splice(0));
      } else if (word.startsWith('--')) {
        this.#long(word);
      } else if (word.startsWith('-') && word !== '-') {
        this.#short(word.slice(1));
      } else {
        this.positionals.push(word);
      }
    }
  }

  #long(word: string): void {
    const equals = word.indexOf('=');
    const name = word.slice(2, equals === -1 ? undefined : equals);
    const flag = Object.hasOwn(this.#flags, name) ? getKey(this.#flags, name) : undefined;
    if (flag === undefined) {
      const meant = nearest(name, Object.keys(this.#flags));
      throw new UsageError(
        `unknown flag --${name}${meant === undefined ? '' : `; did you mean --${meant}?`}`,
      );
    }
    this.#set(name, flag, equals === -1 ? undefined : word.slice(equals + 1));
  }

  /** One or more letters; the rest after one with a value is the value. */
  #short(letters: string): void {
    const letter = letters[0] ?? '';
    const found = Object.entries(this.#flags).find(([, { short }]) => short === letter);
    if (found === undefined) throw new UsageError(`unknown flag -${letter}`);
    const [name, flag] = found;
    const rest = letters.slice(1);
    if (rest.startsWith('=')) {
      this.#set(name, flag, rest.slice(1));
    } else if (flag.type === 'boolean') {
      this.#set(name, flag, undefined);
      if (rest !== '') this.#short(rest);
    } else {
      this.#set(name, flag, rest === '' ? undefined : rest);
    }
  }

  #set(name: string, flag: Flag, attached: string | undefined): void {
    if (flag.type === 'boolean' && attached === undefined) {
      this.values.set(name, true);
      return;
    }
    const text = attached ?? this.#pending.shift();
    if (text === undefined) throw new UsageError(`--${name} needs a value: ${placeholder(flag)}`);
    const value = valueOf(name, flag, text);
    const before = this.values.get(name);
    this.values.set(name, Array.isArray(before) ? [...before, ...(value as string[])] : value);
  }
}

function valueOf(name: string, flag: Flag, text: string): Value {
  const wrong = (expected: string): UsageError =>
    new UsageError(`--${name} must be ${expected}, not ${JSON.stringify(text)}`);
  switch (flag.type) {
    case 'boolean': {
      const value = booleans.get(text);
      if (value === undefined) throw wrong('true or false');
      return value;
    }
    case 'string':
      return text;
    case 'list':
      return flag.commas === true ? text.split(',').filter((item) => item !== '') : [text];
    case 'choice': {
      const choices = new Map(flag.choices.map((choice) => [choice.toLowerCase(), choice]));
      const written = text.toLowerCase();
      const found = choices.get(written);
      if (found !== undefined) return found;
      const meant = choices.get(nearest(written, choices.keys()) ?? '');
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw new UsageError(`${wrong(`one of ${flag.choices.join(', ')}`).message}${hint}`);
    }
    case 'integer': {
      const { max = Number.MAX_SAFE_INTEGER } = flag;
      const expected =
        flag.max === undefined ? 'a whole number' : `a whole number up to ${flag.max}`;
      if (!/^\d+$/.test(text) || Number(text) > max) throw wrong(expected);
      return Number(text);
    }
    case 'duration': {
      const value = parseDuration(text);
      if (value === undefined) throw wrong('a length of time such as 30s, 5m or 1h30m');
      return value;
    }
  }
}

function withDefaults(
  flags: Flags,
  values: ReadonlyMap<string, Value>,
): Record<string, Value | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, values.get(name) ?? defaultOf(flag)]),
  );
}

function defaultOf(flag: Flag): Value | undefined {
  if (flag.type === 'list') return [];
  if (flag.type !== 'boolean') return flag.default;
  return flag.optional === true ? undefined : (flag.default ?? false);
}

/** The placeholder of the value; empty for a flag without one. */
export function placeholder(flag: Flag): string {
  if (flag.type === 'boolean') return '';
  return flag.type === 'duration' ? 'DURATION' : flag.value;
}

function checkPositionals(
  { positionals = [], required = 0, most, usage }: CommandDescription,
  given: readonly string[],
): void {
  if (given.length < required) {
    throw new UsageError(`${positionals[given.length]?.name ?? usage[0]} is required`);
  }
  const allowed = most ?? (positionals.length === 0 ? 0 : Number.POSITIVE_INFINITY);
  if (given.length > allowed) throw new UsageError(`unexpected argument ${given[allowed]}`);
}
