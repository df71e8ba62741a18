import { systemClock } from './clock.ts';
import { type Environment, systemEnvironment } from './environment.ts';
import { ClientError, errorChain, messageOf } from './errors.ts';

/**
 * Receives messages about background work. `console` and pino fit. Messages contain no secrets: no
 * credentials, no query strings, no contents of objects.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The option of everything that logs. */
export interface LoggerOption {
  /** Default: that of the client it works with, else stderr at the level of `CLIENT_TS_LOG`. */
  readonly logger?: Logger | undefined;
}

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
      // It cannot be reported anywhere else.
    }
  }
}

/** Returns a logger that puts a prefix before each message. */
export function prefixedLogger(logger: Logger, prefix: string): Logger {
  return {
    debug: (message) => logger.debug(`${prefix}${message}`),
    info: (message) => logger.info(`${prefix}${message}`),
    warn: (message) => logger.warn(`${prefix}${message}`),
    error: (message) => logger.error(`${prefix}${message}`),
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
 * Reports lasting failures: one warning when they start and one when they end. Failures in between
 * are logged at the level `debug`.
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
   * Reports a failure. A different `kind`, such as a refusal after a lost connection, is a new
   * warning.
   */
  start(message: string, kind = ''): void {
    if (this.#kind === kind) return this.#logger.debug(message);
    this.#kind = kind;
    this.#logger.warn(message);
  }

  /** Reports the end of the failures, if there were any. */
  end(message: string): void {
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#logger.warn(message);
  }
}
