import { ClientError, errorChain, getKey } from 'client-ts/internal';
import { ApiError } from 'client-ts/meta';

import type { CommandContext } from './context.ts';
import { printableLines } from './printable.ts';
import { stylesFor } from './styles.ts';
import { UsageError } from './usage-error.ts';

/** Hints that name flags, instead of those of the libraries. */
const inFlags: Readonly<Record<string, string>> = {
  COLLECTOR_DATABASE_UNOPENED:
    'Name the file with --file; client-ts collect-events creates it, in an existing directory.',
  COLLECTOR_LOCKED:
    'Stop the other process, or use another directory (--spool) and database (--file).',
  CONFIG_EMPTY:
    'Use --kubeconfig, KUBECONFIG or ~/.kube/config; client-ts serve starts a server to try.',
  OPERATIONS_DRAIN_REFUSED:
    'Use --force, --ignore-daemonsets or --delete-emptydir-data, or move the pods first.',
  OPERATIONS_REPLICAS_CHANGED: 'Look at the current number, or leave out --current-replicas.',
  OPERATIONS_REVISION_NOT_FOUND: 'client-ts rollout history lists the revisions that are kept.',
  OPERATIONS_ROLLOUT_FAILED: 'Look at the events and pods, or go back with client-ts rollout undo.',
  TRANSPORT_TIMEOUT: 'Raise --request-timeout, or check the network and the load of the server.',
  TRANSPORT_TLS_NAME: 'Connect by a name in the certificate, or set --tls-server-name.',
  TRANSPORT_TLS_UNTRUSTED:
    'Set the CA of the server with --certificate-authority or in the kubeconfig.',
};

/** Options of {@link reportError}. */
export interface ReportOptions {
  /** The prefix of the line: `client-ts get`. */
  readonly program: string;
  /** Print the stacks of the error and its causes. */
  readonly debug: boolean;
}

/** Prints an error as one line, with its hint. */
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
  else if (!(error instanceof ClientError)) context.err('Use --debug for the stack trace.');
}

/** The message of an error with its hint. */
export function sentence(error: unknown): string {
  const message = messageOf(error);
  const hint =
    error instanceof ClientError ? (getKey(inFlags, error.code) ?? error.hint) : undefined;
  if (hint === undefined) return message;
  // Suggestions contain names from the server.
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${printableLines(hint)}`;
}

/** Prints an error that is retried. */
export function reportRetry(error: unknown, context: CommandContext): void {
  const { yellow } = stylesFor(context.stderr);
  context.err(`${yellow('Retrying:')} ${messageOf(error)}`);
}

/** The stacks of an error and its causes. */
function storyOf(error: unknown): string {
  return [...errorChain(error)]
    .map((link) => (link instanceof Error ? (link.stack ?? String(link)) : String(link)))
    .map(printableLines)
    .join('\nCaused by: ');
}

/** Messages contain text from servers and file names. */
function messageOf(error: unknown): string {
  // The command line names the resource and the server; the request path is redundant.
  const said = error instanceof ApiError ? error.status.message : undefined;
  return printableLines(said ?? (error instanceof Error ? error.message : String(error))).trimEnd();
}
