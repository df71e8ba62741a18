import { generate } from './commands/generate.ts';
import { version } from './commands/version.ts';
import type { Command } from './frame/command.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [generate, version];
