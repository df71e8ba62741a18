import type { CommandContext } from '../frame/context.ts';
import { nearest } from '../frame/nearest.ts';
import { UsageError } from '../frame/usage-error.ts';
import { scripts, type Shell } from './scripts.ts';

/** Prints the completion script of a shell. Throws {@link UsageError} for an unknown one. */
export function printScript(shell: string, context: CommandContext): void {
  if (!isShell(shell)) {
    const meant = nearest(shell, Object.keys(scripts));
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw new UsageError(`no completion for ${shell}; supported: bash, zsh, fish${hint}`);
  }
  context.out(scripts[shell]);
}

function isShell(word: string): word is Shell {
  return Object.hasOwn(scripts, word);
}
