import { getKey } from 'client-ts/internal';
import type { Command } from '../frame/command.ts';
import { type Candidates, type Flag, type Flags, universalFlags } from '../frame/flags.ts';

/** The completions of a word. */
export interface Suggestions {
  /** The candidates with their descriptions. */
  readonly words: readonly (readonly [word: string, about: string])[];
  /** The shell completes file names. */
  readonly files: 'directories' | 'files' | 'none';
  /** False if the word continues: `pods,` or `jsonpath=`. */
  readonly isWhole: boolean;
}

/** Looks up dynamic candidates. */
export interface Lookup {
  /** Resource types, contexts, namespaces. Empty if the lookup fails. */
  find(
    what: 'context' | 'kind' | 'namespace',
    words: readonly string[],
  ): Promise<readonly string[]>;
}

const nothing: Suggestions = { words: [], files: 'none', isWhole: true };

/**
 * Completes the last of the words after `client-ts`. The words before it determine its position:
 * the value of a flag, a flag, a command, or an argument.
 */
export async function complete(
  commands: readonly Command[],
  words: readonly string[],
  lookup: Lookup,
): Promise<Suggestions> {
  const current = words.at(-1) ?? '';
  const [name, ...before] = words.slice(0, -1);
  const listed = commands.filter(({ hidden }) => hidden !== true);
  if (name === undefined || name === 'help') {
    const all = listed.map((each) => [each.name, each.summary] as const);
    return { ...nothing, words: all.filter(([word]) => word.startsWith(current)) };
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return nothing;
  const flags: Flags = { ...command.flags, ...universalFlags };
  const resolve = (candidates: Candidates | undefined, typed: string): Promise<Suggestions> =>
    suggestionsFor(candidates, typed, words, lookup);

  const equals = current.startsWith('--') ? current.indexOf('=') : -1;
  if (equals !== -1) {
    const typed = current.slice(equals + 1);
    const found = await resolve(valueOf(getKey(flags, current.slice(2, equals))), typed);
    const prefix = current.slice(0, equals + 1);
    return { ...found, words: found.words.map(([word, about]) => [prefix + word, about]) };
  }
  const state = walk(flags, before);
  if (state.pending !== undefined) return resolve(valueOf(state.pending), current);
  if (current.startsWith('-') && !state.isAfterFlags) return flagSuggestions(flags, current);
  const { positionals = [] } = command;
  const place = positionals[Math.min(state.positionals, positionals.length - 1)];
  return resolve(place?.complete, current);
}

/** The position of a word. */
function walk(
  flags: Flags,
  words: readonly string[],
): {
  readonly pending: Flag | undefined;
  readonly positionals: number;
  readonly isAfterFlags: boolean;
} {
  let pending: Flag | undefined;
  let positionals = 0;
  let isAfterFlags = false;
  for (const word of words) {
    if (pending !== undefined) pending = undefined;
    else if (isAfterFlags || !word.startsWith('-') || word === '-') positionals += 1;
    else if (word === '--') isAfterFlags = true;
    else pending = takesNext(flags, word);
  }
  return { pending, positionals, isAfterFlags };
}

/** The flag of a word, if its value is the next word. */
function takesNext(flags: Flags, word: string): Flag | undefined {
  if (word.includes('=')) return undefined;
  if (word.startsWith('--')) {
    const flag = getKey(flags, word.slice(2));
    return flag?.type === 'boolean' ? undefined : flag;
  }
  const letter = word.at(-1);
  const flag = Object.values(flags).find(({ short }) => short === letter);
  return flag?.type === 'boolean' ? undefined : flag;
}

function valueOf(flag: Flag | undefined): Candidates | undefined {
  if (flag?.type === 'boolean') return ['true', 'false'];
  return flag?.complete;
}

function flagSuggestions(flags: Flags, current: string): Suggestions {
  const words = Object.entries(flags).map(([name, flag]) => [`--${name}`, flag.about] as const);
  return { ...nothing, words: words.filter(([word]) => word.startsWith(current)) };
}

async function suggestionsFor(
  candidates: Candidates | undefined,
  typed: string,
  words: readonly string[],
  lookup: Lookup,
): Promise<Suggestions> {
  switch (candidates) {
    case undefined:
    case 'none':
      return nothing;
    case 'file':
      return { ...nothing, files: 'files' };
    case 'directory':
      return { ...nothing, files: 'directories' };
    case 'context':
    case 'namespace':
      return matching(await lookup.find(candidates, words), typed);
    case 'kind': {
      // A word may list several types, separated by commas: completes the last.
      const comma = typed.lastIndexOf(',') + 1;
      const found = matching(await lookup.find('kind', words), typed.slice(comma));
      const prefix = typed.slice(0, comma);
      return { ...found, words: found.words.map(([word, about]) => [prefix + word, about]) };
    }
    default:
      return matching(candidates, typed);
  }
}

function matching(candidates: readonly string[], typed: string): Suggestions {
  const words = candidates
    .filter((word) => word.startsWith(typed))
    .map((word) => [word, ''] as const);
  return { ...nothing, words, isWhole: words.every(([word]) => !word.endsWith('=')) };
}
