import { systemClock } from './clock.ts';
import { type Environment, systemEnvironment } from './environment.ts';
import { ClientError, errorChain, messageOf } from './errors.ts';
import type { LogEvent } from './log-events.ts';

/** What a log entry is about: its name, and values such as the informer, the path or the error code. */
export interface LogFields {
  readonly event: LogEvent;
  readonly [field: string]: boolean | number | string | undefined;
}

/** A log entry with its fields. */
export type LogEntry = LogFields & { readonly level: LogLevel; readonly message: string };

/** The levels of log entries. */
export type LogLevel = 'debug' | 'error' | 'info' | 'warn';

/**
 * Receives messages about background work. `console` and pino fit, and get the message only; a logger
 * with {@link Logger.structured} gets entries with fields. Neither contains secrets: no credentials, no
 * query strings, no contents of objects.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** If present, called instead of the other methods; see `structuredLogger`. */
  structured?(entry: LogEntry): void;
}

/**
 * Returns a logger that passes entries with stable names and fields to a function:
 *
 * ```ts
 * const logger = structuredLogger(({ level, message, ...fields }) => log[level](fields, message));
 * ```
 */
export function structuredLogger(write: (entry: LogEntry) => void): Logger {
  const method = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(entryOf(level, message, fields));
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
    structured: write,
  };
}

function entryOf(level: LogLevel, message: string, fields?: LogFields): LogEntry {
  return { event: 'controller.log', ...fields, level, message };
}

/** The option of everything that logs. */
export interface LoggerOption {
  /** Default: that of the client it works with, else stderr at the level of `CLIENT_TS_LOG`. */
  readonly logger?: Logger | undefined;
}

/** The methods of levels that the default logger does not write. */
const ignore = (): void => undefined;

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;
type Level = (typeof LEVELS)[number];

const DEFAULT_LEVEL: Level = 'warn';

/** Options of the default logger. */
export interface DefaultLoggerOptions {
  readonly env?: Environment | undefined;
  /** Default: stderr. */
  readonly write?: ((text: string) => void) | undefined;
  /** Returns milliseconds since 1970, for the time of each line. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns a logger that writes lines to stderr. The environment variable `CLIENT_TS_LOG` is the
 * lowest level that it writes: `debug`, `info`, `warn`, `error` or `off`; default `warn`.
 */
export function defaultLogger(options: DefaultLoggerOptions = {}): Logger {
  const {
    env = systemEnvironment(),
    write = (text) => void process.stderr.write(text),
    now = systemClock.now.bind(systemClock),
  } = options;
  const wanted = env['CLIENT_TS_LOG'] ?? '';
  const level = LEVELS.find((known) => known === wanted.toLowerCase());
  const least = LEVELS.indexOf(level ?? DEFAULT_LEVEL);
  const method = (name: Exclude<Level, 'off'>) =>
    LEVELS.indexOf(name) < least
      ? ignore
      : (message: string) =>
          write(`${new Date(now()).toISOString()} client-ts ${name}: ${lines(message)}\n`);
  const logger: Logger = {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
  if (wanted !== '' && level === undefined) {
    const message = `CLIENT_TS_LOG is ${JSON.stringify(wanted)}, not one of ${LEVELS.join(', ')}`;
    logger.warn(message, { event: 'logger.level' });
  }
  return logger;
}

/** Control characters, Unicode line ends, and invisible or bidirectional characters. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Messages may contain text of servers, which must not move the cursor or look like another line.
 */
function lines(message: string): string {
  return message.replaceAll(/\r?\n/g, '\n  ').replaceAll(UNSAFE, ' ');
}

let shared: { readonly level: string | undefined; readonly logger: Logger } | undefined;

/** Returns the logger to use for an option. A logger that throws is ignored. */
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

  /** False if debug messages would be written nowhere. */
  get wantsDebug(): boolean {
    return this.#logger.debug !== ignore;
  }

  debug(message: string, fields?: LogFields): void {
    this.#log('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#log('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#log('error', message, fields);
  }

  #log(level: LogLevel, message: string, fields: LogFields | undefined): void {
    try {
      if (this.#logger.structured === undefined) this.#logger[level](message);
      else this.#logger.structured(entryOf(level, message, fields));
    } catch {
      // It cannot be reported anywhere else.
    }
  }
}

/** Returns false if debug messages of this logger are written nowhere, so that they need not be made. */
export function wantsDebug(logger: Logger): boolean {
  return !(logger instanceof GuardedLogger) || logger.wantsDebug;
}

/** Returns a logger that puts a prefix before each message, and adds fields to its entry. */
export function prefixedLogger(
  logger: Logger,
  prefix: string,
  own: Omit<LogFields, 'event'> = {},
): Logger {
  const method = (level: LogLevel) => (message: string, fields?: LogFields) =>
    logger[level](`${prefix}${message}`, { event: 'controller.log', ...own, ...fields });
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
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

/** Errors of Node and the operating system have a code; their stack does not help. */
function isOfSystem(error: Error): boolean {
  return typeof Reflect.get(error, 'code') === 'string';
}

/** The memory is cleared after this many different messages, so that it is bounded. */
const REMEMBERED_MESSAGES = 1000;

/**
 * Returns the default error listener, for programs that set none: it logs a warning for each
 * message, and repetitions at the level `debug`.
 */
export function errorLogger<E extends ClientError>(
  logger: Logger,
  event: LogEvent | ((error: E) => LogEvent),
): (error: E) => void {
  const seen = new Set<string>();
  return (error) => {
    const { message, code } = error;
    const fields = { event: typeof event === 'function' ? event(error) : event, code };
    if (seen.has(message)) return logger.debug(describeError(error), fields);
    if (seen.size >= REMEMBERED_MESSAGES) seen.clear();
    seen.add(message);
    logger.warn(describeError(error), fields);
  };
}

/** The names of the beginning and of the end of a trouble, and the fields of both. */
export interface TroubleEvents {
  readonly start: LogEvent;
  readonly end: LogEvent;
  readonly fields?: Omit<LogFields, 'event'> | undefined;
}

/**
 * Reports lasting failures: one warning when they start and one when they end. Failures in between
 * are logged at the level `debug`.
 */
export class TroubleReporter {
  readonly #logger: Logger;
  readonly #events: TroubleEvents;
  #kind: string | undefined;

  constructor(logger: Logger, events: TroubleEvents) {
    this.#logger = logger;
    this.#events = events;
  }

  /** True between {@link start} and {@link end}. */
  get isOpen(): boolean {
    return this.#kind !== undefined;
  }

  /**
   * Reports a failure. A different `kind`, such as a refusal after a lost connection, is a new
   * warning.
   */
  start(message: string, kind = ''): void {
    const fields = { ...this.#events.fields, event: this.#events.start };
    if (this.#kind === kind) return this.#logger.debug(message, fields);
    this.#kind = kind;
    this.#logger.warn(message, fields);
  }

  /** Reports the end of the failures, if there were any. */
  end(message: string): void {
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#logger.warn(message, { ...this.#events.fields, event: this.#events.end });
  }
}
