import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guardCallback } from './callback.ts';
import { nextTurn } from './next-turn.ts';
import { recordingLogger } from './test-logger.ts';

describe('guardCallback', () => {
  it('passes the arguments on', () => {
    const logger = recordingLogger();
    const seen: unknown[] = [];
    guardCallback(
      'onEvent',
      (...values: [string, number]) => void seen.push(...values),
      logger,
    )('a', 1);
    assert.deepEqual(seen, ['a', 1]);
    assert.deepEqual(logger.lines, []);
    guardCallback('onEvent', undefined, logger)();
  });

  it('logs what the callback throws, or its promise rejects with, as a warning', async () => {
    const logger = recordingLogger();
    const throwing = guardCallback('onError of a test', () => assert.fail('thrown'), logger);
    const rejecting = guardCallback(
      'onError of a test',
      () => Promise.reject(new Error('rejected')),
      logger,
    );
    throwing();
    rejecting();
    await nextTurn();
    assert.deepEqual(
      logger.lines.map((line) => line.split('\n')[0]),
      [
        'warn the callback onError of a test failed: thrown',
        'warn the callback onError of a test failed: rejected',
      ],
    );
  });
});
