import type { Command, CommandDescription } from './command.ts';
import { formatDuration } from './duration.ts';
import { type Flag, universalFlags } from './flags.ts';
import { placeholder } from './parse.ts';

/** The maximum width of help. */
const width = 100;

/** Longer terms have their description on the next line. */
const widestTerm = 32;

/** The text of `client-ts --help`. */
export function helpOfAll(commands: readonly Command[]): string {
  const listed = commands.filter(({ hidden }) => hidden !== true);
  return [
    'Usage: client-ts <command> [arguments] [flags]',
    'Commands:',
    table(listed.map(({ name, summary }) => [name, summary])),
    'Every command:',
    table(Object.entries(universalFlags).map(([name, flag]) => [termOf(name, flag), flag.about])),
    'Try: client-ts get pods --help',
  ].reduce((text, part) => text + (part.startsWith('  ') ? '\n' : '\n\n') + part);
}

/** The text of `client-ts <command> --help`. */
export function helpOf(command: CommandDescription): string {
  const { about, examples, positionals = [] } = command;
  const parts = [
    usageOf(command),
    ...about.map((paragraph) => wrap(paragraph, width)),
    `Examples:\n${examples.map((each) => `  # ${each.about}\n  ${each.line}`).join('\n')}`,
    ...(positionals.length === 0
      ? []
      : [`Arguments:\n${table(positionals.map((each) => [each.name, each.about]))}`]),
    ...[...sectionsOf(command)].map(([title, flags]) => `${title}:\n${flagTable(flags)}`),
  ];
  return parts.join('\n\n');
}

/** `Usage: client-ts get TYPE [NAME…] [flags]`, one line per form. */
export function usageOf({ name, usage }: CommandDescription): string {
  const lines = usage.length === 0 ? [''] : usage;
  return lines
    .map((line, index) => {
      const call = ['client-ts', name, line, '[flags]'].filter((word) => word !== '').join(' ');
      return index === 0 ? `Usage: ${call}` : `       ${call}`;
    })
    .join('\n');
}

/** The flags of a command by section, its own first. */
export function sectionsOf({ flags }: CommandDescription): Map<string, [string, Flag][]> {
  const sections = new Map<string, [string, Flag][]>();
  for (const [name, flag] of Object.entries<Flag>({ ...flags, ...universalFlags })) {
    const title = flag.section ?? 'Flags';
    sections.set(title, [...(sections.get(title) ?? []), [name, flag]]);
  }
  return sections;
}

/** Flags with their descriptions. */
export function flagTable(flags: readonly (readonly [name: string, flag: Flag])[]): string {
  return table(flags.map(([name, flag]) => [termOf(name, flag), explain(flag)]));
}

/** `-n, --namespace NAME`. */
function termOf(name: string, flag: Flag): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  const value = placeholder(flag);
  return `${short}--${name}${value === '' ? '' : ` ${value}`}`;
}

/** The description of a flag, with choices and default. */
function explain(flag: Flag): string {
  const repeated = flag.type === 'list' ? '; can be repeated' : '';
  const choices = flag.type === 'choice' ? `: ${flag.choices.join(', ')}` : '';
  const preset = presetOf(flag);
  return `${flag.about}${choices}${repeated}${preset === undefined ? '' : ` (default ${preset})`}`;
}

function presetOf(flag: Flag): string | undefined {
  if (flag.type === 'list' || flag.default === undefined || flag.default === false) {
    return undefined;
  }
  return flag.type === 'duration' ? formatDuration(flag.default) : String(flag.default);
}

/** Two columns, the second wrapped. */
function table(rows: readonly (readonly [term: string, text: string])[]): string {
  const short = rows.map(([term]) => term.length).filter((length) => length <= widestTerm);
  const indent = Math.max(0, ...short) + 5;
  return rows
    .map(([term, text]) => {
      const lines = wrap(text, width - indent).split('\n');
      const first = term.length <= widestTerm ? `  ${term.padEnd(indent - 2)}` : `  ${term}\n`;
      const rest = term.length <= widestTerm ? lines : ['', ...lines];
      return first.replace(/\n$/, '') + rest.join(`\n${' '.repeat(indent)}`);
    })
    .join('\n');
}

function wrap(text: string, columns: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
