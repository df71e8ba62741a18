import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError } from './errors.ts';
import {
  defaultLogger,
  describeError,
  errorLogger,
  type LogEntry,
  loggerOf,
  prefixedLogger,
  structuredLogger,
  TroubleReporter,
} from './logger.ts';
import { OptionError } from './option-error.ts';
import { recordingLogger } from './test-logger.ts';

function written(level: string | undefined): string[] {
  const texts: string[] = [];
  const logger = defaultLogger({
    env: { CLIENT_TS_LOG: level },
    write: (text) => void texts.push(text),
    now: () => 0,
  });
  for (const method of ['debug', 'info', 'warn', 'error'] as const) logger[method](method);
  return texts;
}

const line = (level: string, message = level): string =>
  `1970-01-01T00:00:00.000Z client-ts ${level}: ${message}\n`;

describe('defaultLogger', () => {
  it('writes from the level of CLIENT_TS_LOG on, by default warnings and errors', () => {
    assert.deepEqual(written(undefined), [line('warn'), line('error')]);
    assert.deepEqual(
      written('debug'),
      ['debug', 'info', 'warn', 'error'].map((it) => line(it)),
    );
    assert.deepEqual(
      written('INFO'),
      ['info', 'warn', 'error'].map((it) => line(it)),
    );
    assert.deepEqual(written('error'), [line('error')]);
    assert.deepEqual(written('off'), []);
  });

  it('warns of an unknown level, and uses the default', () => {
    const [first, ...others] = written('loud');
    assert.equal(
      first,
      line('warn', 'CLIENT_TS_LOG is "loud", not one of debug, info, warn, error, off'),
    );
    assert.deepEqual(others, [line('warn'), line('error')]);
  });

  it('does not let a message look like another line, or control the terminal', () => {
    const texts: string[] = [];
    const logger = defaultLogger({
      env: {},
      write: (text) => void texts.push(text),
      now: () => 0,
    });
    logger.warn('a\r\n1970 client-ts error: b\u001B[2Jc');
    logger.warn('\u202Ea\u2066b\u2028c\u200Dd');
    assert.deepEqual(texts, [
      line('warn', 'a\n  1970 client-ts error: b [2Jc'),
      line('warn', ' a b c\u200Dd'),
    ]);
  });
});

describe('loggerOf', () => {
  it('keeps the logger that is given, and what it throws to itself', () => {
    const logger = recordingLogger();
    const guarded = loggerOf({
      ...logger,
      error() {
        throw new Error('disk full');
      },
    });
    guarded.warn('a');
    guarded.error('b');
    guarded.info('c');
    assert.deepEqual(logger.lines, ['warn a', 'info c']);
    assert.equal(loggerOf(guarded), guarded);
  });

  it('calls methods that need their logger', () => {
    class Counting {
      count = 0;
      debug(_message: string): void {
        this.count += 1;
      }
      info(message: string): void {
        this.debug(message);
      }
      warn(message: string): void {
        this.debug(message);
      }
      error(message: string): void {
        this.debug(message);
      }
    }
    const logger = new Counting();
    loggerOf(logger).warn('x');
    assert.equal(logger.count, 1);
  });

  it('has one default for all', () => {
    assert.equal(loggerOf(undefined), loggerOf(undefined));
  });
});

describe('describeError', () => {
  it('has message, causes that add something, hint, and the stack of errors of others', () => {
    const cause = new TypeError('x is not a function');
    const error = new ClientError('C', 'the handler failed', { cause, hint: 'Mend it.' });
    const [first, ...stack] = describeError(error).split('\n');
    assert.equal(first, 'the handler failed: x is not a function (Mend it.)');
    assert.equal(stack[0], 'TypeError: x is not a function');
    const told = new ClientError('C', 'failed: deep', { cause: new ClientError('D', 'deep') });
    assert.equal(describeError(told), 'failed: deep');
    assert.equal(describeError('text'), 'text');
  });

  it('has no stack of errors of the system', () => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const error = new ClientError('C', 'the connection was reset', { cause });
    assert.equal(describeError(error), 'the connection was reset: read ECONNRESET');
  });
});

describe('errorLogger', () => {
  it('warns of each message once, and repeats it for debugging only', () => {
    const logger = recordingLogger();
    const log = errorLogger(logger, 'informer.failed');
    for (const message of ['no entry', 'no entry', 'no exit']) log(new ClientError('C', message));
    assert.deepEqual(logger.lines, ['warn no entry', 'debug no entry', 'warn no exit']);
  });
});

describe('TroubleReporter', () => {
  it('warns when trouble starts and when it is over, not in between', () => {
    const logger = recordingLogger();
    const trouble = new TroubleReporter(logger, {
      start: 'informer.blocked',
      end: 'informer.recovered',
    });
    trouble.end('never began');
    assert.equal(trouble.isOpen, false);
    trouble.start('cannot list');
    trouble.start('cannot list again');
    assert.equal(trouble.isOpen, true);
    trouble.end('lists again');
    trouble.end('lists again');
    trouble.start('cannot list once more');
    assert.deepEqual(logger.lines, [
      'warn cannot list',
      'debug cannot list again',
      'warn lists again',
      'warn cannot list once more',
    ]);
  });

  it('warns again when the trouble is of another kind', () => {
    const logger = recordingLogger();
    const trouble = new TroubleReporter(logger, {
      start: 'informer.blocked',
      end: 'informer.recovered',
    });
    trouble.start('connection refused', 'unreachable');
    trouble.start('connection refused', 'unreachable');
    trouble.start('forbidden', 'denied');
    assert.deepEqual(logger.lines, [
      'warn connection refused',
      'debug connection refused',
      'warn forbidden',
    ]);
  });
});

describe('structuredLogger', () => {
  it('gets entries with their names and fields; a plain logger gets the message', () => {
    const entries: LogEntry[] = [];
    const logger = loggerOf(structuredLogger((entry) => entries.push(entry)));
    const own = prefixedLogger(logger, 'controller web: ', { controller: 'web' });
    own.info('created');
    new TroubleReporter(logger, {
      start: 'informer.blocked',
      end: 'informer.recovered',
      fields: { informer: 'pods' },
    }).start('cannot list');
    assert.deepEqual(entries, [
      {
        level: 'info',
        event: 'controller.log',
        controller: 'web',
        message: 'controller web: created',
      },
      { level: 'warn', event: 'informer.blocked', informer: 'pods', message: 'cannot list' },
    ]);
    const seen: unknown[] = [];
    const plain = (...values: unknown[]): void => void seen.push(values);
    const given = { debug: plain, info: plain, warn: plain, error: plain };
    loggerOf(given).warn('cannot list', { event: 'informer.blocked' });
    assert.deepEqual(seen, [['cannot list']]);
  });

  it('that throws loses its entry and changes nothing else', () => {
    const logger = loggerOf(
      structuredLogger(() => {
        throw new Error('disk full');
      }),
    );
    assert.doesNotThrow(() => logger.warn('cannot list', { event: 'informer.blocked' }));
  });

  it('names errors by their code', () => {
    const entries: LogEntry[] = [];
    const log = errorLogger(
      structuredLogger((entry) => entries.push(entry)),
      'reconcile.failed',
    );
    const error = new OptionError('by', 'is not a number');
    log(error);
    log(error);
    assert.deepEqual(
      entries.map(({ level, event, ...fields }) => [level, event, fields['code']]),
      [
        ['warn', 'reconcile.failed', 'OPTION_INVALID'],
        ['debug', 'reconcile.failed', 'OPTION_INVALID'],
      ],
    );
  });
});
