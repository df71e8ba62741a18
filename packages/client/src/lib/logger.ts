import { systemClock } from './clock.ts';
import { type Environment, systemEnvironment } from './environment.ts';
import { ClientError, errorChain, messageOf } from './errors.ts';

/**
 * Where the library writes what happens in the background. `console` and pino fit. Messages hold no
 * secrets: no credentials, no query strings, no contents of objects.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What every part of the library accepts that logs. */
export interface LoggerOption {
  /** Default: that of the client it works with, else stderr at the level of `CLIENT_TS_LOG`. */
  readonly logger?: Logger | undefined;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;
type Level = (typeof LEVELS)[number];

const DEFAULT_LEVEL: Level = 'warn';

/** Where the default logger writes, and how much. */
export interface DefaultLoggerOptions {
  readonly environment?: Environment | undefined;
  /** Default: stderr. */
  readonly write?: ((text: string) => void) | undefined;
  /** Milliseconds since 1970, for the time of each line. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns a logger that writes lines to stderr. The environment variable `CLIENT_TS_LOG` is the
 * lowest level that it writes: `debug`, `info`, `warn`, `error` or `off`; default `warn`.
 */
export function defaultLogger(options: DefaultLoggerOptions = {}): Logger {
  const {
    environment = systemEnvironment(),
    write = (text) => void process.stderr.write(text),
    now = systemClock.now.bind(systemClock),
  } = options;
  const wanted = environment['CLIENT_TS_LOG'] ?? '';
  const level = LEVELS.find((known) => known === wanted.toLowerCase());
  const least = LEVELS.indexOf(level ?? DEFAULT_LEVEL);
  const method = (name: Exclude<Level, 'off'>) =>
    LEVELS.indexOf(name) < least
      ? () => undefined
      : (message: string) =>
          write(`${new Date(now()).toISOString()} client-ts ${name}: ${lines(message)}\n`);
  const logger = {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
  if (wanted !== '' && level === undefined) {
    logger.warn(`CLIENT_TS_LOG is ${JSON.stringify(wanted)}, not one of ${LEVELS.join(', ')}`);
  }
  return logger;
}

/** Control characters, line ends of Unicode, and what is invisible or turns the direction of writing. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/** Servers have a say in messages: none of them may move the cursor or look like another line. */
function lines(message: string): string {
  return message.replaceAll(/\r?\n/g, '\n  ').replaceAll(UNSAFE, ' ');
}

let shared: { readonly level: string | undefined; readonly logger: Logger } | undefined;

/**
 * Returns the logger to use where an option may name one. A logger that throws changes nothing: the
 * message is lost, the work goes on.
 */
export function loggerOf(logger: Logger | undefined): Logger {
  if (logger instanceof GuardedLogger) return logger;
  if (logger !== undefined) return new GuardedLogger(logger);
  const level = systemEnvironment()['CLIENT_TS_LOG'];
  if (shared === undefined || shared.level !== level) {
    shared = { level, logger: new GuardedLogger(defaultLogger()) };
  }
  return shared.logger;
}

class GuardedLogger implements Logger {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  debug(message: string): void {
    this.#log('debug', message);
  }

  info(message: string): void {
    this.#log('info', message);
  }

  warn(message: string): void {
    this.#log('warn', message);
  }

  error(message: string): void {
    this.#log('error', message);
  }

  #log(level: keyof Logger, message: string): void {
    try {
      this.#logger[level](message);
    } catch {
      // There is no other place to report it to.
    }
  }
}

/**
 * Returns an error as a log line: the message, those of its causes as far as they add something, and
 * the hint. An error that is neither this library's nor Node's, such as a handler's, adds its stack.
 */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  const stacks: string[] = [];
  let hint: string | undefined;
  for (const link of errorChain(error)) {
    const message = messageOf(link);
    if (!parts.some((part) => part.includes(message))) parts.push(message);
    if (link instanceof ClientError) hint ??= link.hint;
    else if (link instanceof Error && link.stack !== undefined && !isOfSystem(link)) {
      stacks.push(link.stack);
    }
  }
  const line = parts.join(': ') + (hint === undefined ? '' : ` (${hint})`);
  return [line, ...stacks].join('\n');
}

/** Errors of Node and of the operating system have a code; where they were noticed tells nothing. */
function isOfSystem(error: Error): boolean {
  return typeof Reflect.get(error, 'code') === 'string';
}

/** After so many different messages the memory starts over, so that it cannot grow without end. */
const REMEMBERED_MESSAGES = 1000;

/**
 * Returns a listener for errors of which a program has not asked to be notified: it logs a warning
 * for each message, and repeated ones at the level `debug`.
 */
export function errorLogger(logger: Logger): (error: ClientError) => void {
  const seen = new Set<string>();
  return (error) => {
    const { message } = error;
    if (seen.has(message)) return logger.debug(describeError(error));
    if (seen.size >= REMEMBERED_MESSAGES) seen.clear();
    seen.add(message);
    logger.warn(describeError(error));
  };
}

/**
 * Reports trouble that lasts: one warning when it starts and one when it is over. What fails in
 * between is logged at the level `debug`.
 */
export class TroubleReporter {
  readonly #logger: Logger;
  #kind: string | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** True between {@link start} and {@link end}. */
  get isOpen(): boolean {
    return this.#kind !== undefined;
  }

  /**
   * Something failed. `kind` tells one trouble from another: if it changes, such as from a lost
   * connection to a refusal, that is a new trouble and a new warning.
   */
  start(message: string, kind = ''): void {
    if (this.#kind === kind) return this.#logger.debug(message);
    this.#kind = kind;
    this.#logger.warn(message);
  }

  /** It works again, or is given up. Logs only if there was trouble. */
  end(message: string): void {
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#logger.warn(message);
  }
}
