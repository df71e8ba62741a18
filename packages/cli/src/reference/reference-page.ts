import { getKey } from 'client-ts/internal';

import type { Command } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { type Flag, universalFlags } from '../frame/flags.ts';
import { flagTable, sectionsOf, usageOf } from '../frame/help.ts';

/** `docs/cli.md`: every command with its flags and examples, from the same descriptions as `--help`. */
export function referencePage(commands: readonly Command[]): string {
  const listed = commands.filter(({ hidden }) => hidden !== true);
  return `${[
    '<!-- Written by `npm run generate`. -->',
    '# The client-ts command',
    'Everything here is also in `client-ts <command> --help`. In a clone of the repository the command is `npx client-ts`, after `npm run build`.',
    listed.map(({ name, summary }) => `- [\`${name}\`](#client-ts-${name}): ${summary}`).join('\n'),
    exitCodes,
    terminals,
    ...listed.flatMap(commandParts),
    '## Connection flags',
    'Of every command that talks to a server. The kubeconfig is found by the rules of kubectl; in a pod without one, its service account is used.',
    fenced('', flagTable(Object.entries<Flag>({ ...connectionFlags }))),
    '## Flags of every command',
    fenced('', flagTable(Object.entries(universalFlags))),
  ].join('\n\n')}\n`;
}

const exitCodes = `Exit codes: 0 done (also when the reader of a pipe has seen enough), 1 failed, 2 called wrongly, 130 interrupted by Ctrl-C. Errors are one line with what to do about it; \`--debug\` shows the rest. Colours are for terminals only, and \`NO_COLOR\` switches them off.`;

const terminals = `Servers and authors of objects cannot write to your terminal: control characters, and characters that are invisible or turn the direction of writing, are shown instead of sent (\`^[\` for ESC, \`\\u202e\` for a right-to-left override). In tables, events and messages always; in JSON and YAML as escapes, so that the values stay the same; in \`-o name\`, \`-o jsonpath\` and \`api-versions\` only if standard output is a terminal: a file or a pipe gets every byte as it is.`;

function commandParts(command: Command): string[] {
  const { name, about, examples, positionals = [], node } = command;
  const shared = new Set([...Object.keys(connectionFlags), ...Object.keys(universalFlags)]);
  const sections = [...sectionsOf(command)].map(
    ([title, flags]) =>
      [title, flags.filter(([flag]) => !shared.has(flag) || isOwn(command, flag))] as const,
  );
  const isConnected = Object.hasOwn(command.flags, 'kubeconfig');
  return [
    `## client-ts ${name}`,
    ...about,
    ...(node === undefined ? [] : [`Needs Node ${node} or newer.`]),
    fenced('', usageOf(command).replaceAll(/^(?:Usage:| {6}) /gm, '')),
    fenced('sh', examples.map((each) => `# ${each.about}\n${each.line}`).join('\n')),
    ...(positionals.length === 0
      ? []
      : [positionals.map((each) => `- \`${each.name}\`: ${each.about}`).join('\n')]),
    ...sections.flatMap(([, flags]) => (flags.length === 0 ? [] : [fenced('', flagTable(flags))])),
    ...(isConnected ? ['And the [connection flags](#connection-flags).'] : []),
  ];
}

/** A flag of the command with the name of a connection flag. */
function isOwn({ flags }: Command, name: string): boolean {
  const shared: Readonly<Record<string, Flag>> = { ...connectionFlags };
  const own = getKey(flags, name);
  return own !== undefined && own !== getKey(shared, name);
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
