import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  discover,
  type DiscoveredInspector,
  inspectSession,
  requestUrl,
} from '@client-ts/inspector';
import { messageOf, onAbort } from 'client-ts/internal';
import { parseSession } from 'client-ts/observe';
import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { openBrowser } from './open-browser.ts';

/** Options of `client-ts inspect`. */
export interface InspectCommandOptions {
  readonly file: string | undefined;
  readonly url: string | undefined;
  readonly pid: number | undefined;
  /** Starts a browser. */
  readonly open: boolean;
  /** Of the page of a recorded session. */
  readonly port: number;
}

/** Prints the address of an inspector, or serves a recorded session until the signal aborts. */
export async function inspectCommand(
  options: InspectCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { file, url, pid } = options;
  if ([file, url, pid].filter((each) => each !== undefined).length > 1) {
    throw new UsageError('FILE, --url and --pid cannot be combined');
  }
  if (file !== undefined) return await serveSession(file, options, context);
  await show(await addressOf(options, context), options, context);
}

async function serveSession(
  file: string,
  options: InspectCommandOptions,
  context: CommandContext,
): Promise<void> {
  const path = resolve(context.workingDirectory, file);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError('CLI_FILE_UNREADABLE', `cannot read "${file}": ${messageOf(cause)}`, {
      cause,
    });
  }
  const session = parseSession(text);
  await using page = await inspectSession(session, { port: options.port });
  const { program } = session.header;
  context.err(`${session.records.length} records of "${program}". Ctrl-C to stop.`);
  await show(page.url, options, context);
  await new Promise<void>((end) => void onAbort(context.signal, end));
}

/** Returns the address of the inspector of a running program, with a token that can be used once. */
async function addressOf(
  { url, pid }: InspectCommandOptions,
  context: CommandContext,
): Promise<string> {
  const running = await discover(context.env);
  if (url !== undefined) return await attach(url, running);
  if (pid !== undefined) {
    const found = running.find((each) => each.pid === pid);
    if (found !== undefined) return await requestUrl(found);
    throw new CliError('CLI_INSPECTOR_NOT_FOUND', `process ${pid} serves no inspector`);
  }
  const [only, ...others] = running;
  if (only === undefined) {
    throw new CliError('CLI_INSPECTOR_NOT_FOUND', 'no running program serves an inspector');
  }
  if (others.length === 0) return await requestUrl(only);
  const list = running.map((each) => `${each.pid} (${each.program})`).join(', ');
  throw new UsageError(`several programs serve an inspector, choose one with --pid: ${list}`);
}

/** An address with a token is used as it is; for one without, a program of this user is asked for a token. */
async function attach(url: string, running: readonly DiscoveredInspector[]): Promise<string> {
  if (!URL.canParse(url)) throw new UsageError(`--url: "${url}" is not an address`);
  const { origin, searchParams } = new URL(url);
  const own = running.find((each) => each.origin === origin);
  if (own !== undefined && !searchParams.has('token')) return await requestUrl(own);
  try {
    const response = await fetch(`${origin}/api/session`, { redirect: 'manual' });
    await response.body?.cancel();
    if (response.headers.has('x-client-ts-inspector')) return url;
  } catch (cause) {
    const message = `nothing answers at ${origin}: ${messageOf(cause)}`;
    throw new CliError('CLI_INSPECTOR_NOT_FOUND', message, { cause });
  }
  throw new CliError('CLI_INSPECTOR_NOT_FOUND', `the server at ${origin} is not an inspector`);
}

async function show(
  url: string,
  { open }: InspectCommandOptions,
  context: CommandContext,
): Promise<void> {
  context.out(url);
  if (open && !(await openBrowser(url, context.env))) {
    context.err('no browser could be started: open the address yourself');
  }
}
