import { ClientError, errorChain } from 'client-ts/lib';

import type { CommandContext } from './context.ts';
import { stylesFor } from './styles.ts';
import { UsageError } from './usage-error.ts';

/** How much of an error is shown. */
export interface ReportOptions {
  /** What comes first in the line: `client-ts get`. */
  readonly program: string;
  /** With its stack, and those of its causes. */
  readonly debug: boolean;
}

/** Tells of a failure in one line, with what can be done about it. */
export function reportError(
  error: unknown,
  context: CommandContext,
  { program, debug }: ReportOptions,
): void {
  if (error instanceof AggregateError) {
    for (const each of error.errors) reportError(each, context, { program, debug });
    return;
  }
  const { red } = stylesFor(context.stderr);
  context.err(`${red(`${program}:`)} ${sentence(error)}`);
  if (error instanceof UsageError) context.err(`See: ${program} --help`);
  if (debug) context.err(storyOf(error));
  else if (!(error instanceof ClientError) && !(error instanceof UsageError)) {
    context.err('--debug shows where it comes from.');
  }
}

/** What went wrong, and what to do. */
export function sentence(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).trimEnd();
  const hint = error instanceof ClientError ? error.hint : undefined;
  if (hint === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}

/** The stacks of an error and of everything that led to it. */
function storyOf(error: unknown): string {
  return [...errorChain(error)]
    .map((link) => (link instanceof Error ? (link.stack ?? String(link)) : String(link)))
    .join('\nCaused by: ');
}
