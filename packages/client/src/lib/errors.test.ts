import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError, defineErrors, errorCatalogue, errorChain, retryOf } from './errors.ts';

describe('ClientError', () => {
  it('carries code, hint, cause and its name', () => {
    const cause = new Error('socket hang up');
    const error = new ClientError('SOME_CODE', 'it broke', { cause, hint: 'Mend it.' });
    assert.equal(error.code, 'SOME_CODE');
    assert.equal(error.hint, 'Mend it.');
    assert.equal(error.cause, cause);
    assert.equal(error.name, 'ClientError');
    assert.match(error.stack ?? '', /^ClientError: it broke/);
    assert.ok(error instanceof ClientError);
    assert.ok(error instanceof Error);
  });

  it('has no cause property unless given one', () => {
    assert.equal(Object.hasOwn(new ClientError('C', 'm'), 'cause'), false);
  });

  it('does not take plain errors, or let a subclass answer for its family', () => {
    class Special extends ClientError {}
    assert.equal(new Error('x') instanceof ClientError, false);
    assert.equal(({ code: 'C' } as unknown) instanceof ClientError, false);
    assert.equal((null as unknown) instanceof ClientError, false);
    assert.equal(new ClientError('C', 'm') instanceof Special, false);
    assert.ok(new Special('C', 'm') instanceof Special);
    assert.ok(new Special('C', 'm') instanceof ClientError);
  });
});

describe('errorChain', () => {
  it('walks causes and aggregates, outermost first', () => {
    const deep = new Error('deep');
    const left = new Error('left', { cause: deep });
    const right = new Error('right');
    const top = new AggregateError([left, right], 'top', { cause: 'why' });
    assert.deepEqual([...errorChain(top)], [top, 'why', left, deep, right]);
  });

  it('ends on cycles and on nothing', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    assert.deepEqual([...errorChain(loop)], [loop]);
    assert.deepEqual([...errorChain(undefined)], []);
  });
});

describe('defineErrors', () => {
  class DoorError extends ClientError {
    static {
      defineErrors(this, 'DoorError', 'DOOR', {
        DOOR_JAMMED: { retry: 'later', hint: 'Push.' },
        DOOR_LOCKED: { retry: 'never' },
      });
    }
  }
  class GateError extends DoorError {
    static {
      defineErrors(this, 'GateError');
    }
  }

  it('sets name, hint and retry by code', () => {
    const error = new DoorError('DOOR_JAMMED', 'jammed');
    assert.deepEqual([error.name, error.hint, error.retry], ['DoorError', 'Push.', 'later']);
    assert.match(error.stack ?? '', /^DoorError: jammed/);
    assert.equal(new DoorError('DOOR_LOCKED', 'locked').retry, 'never');
    assert.equal(new ClientError('ELSE', 'x').retry, 'never');
    assert.deepEqual(Object.keys(errorCatalogue(DoorError)), ['DOOR_JAMMED', 'DOOR_LOCKED']);
  });

  it('has a hint for every kind of write to a cached object', () => {
    const cached: { metadata?: { labels: Record<string, string> }; items: number[] } = {
      metadata: Object.freeze({ labels: Object.freeze({ app: 'web' }) }),
      items: [1, 2],
    };
    Object.freeze(cached.items);
    Object.freeze(cached);
    const labels = cached.metadata?.labels ?? {};
    const writes: (() => unknown)[] = [
      () => (labels['app'] = 'db'),
      () => (labels['tier'] = 'back'),
      () => delete labels['app'],
      () => delete cached.metadata,
      () => cached.items.push(2),
      () => cached.items.reverse(),
      () => Object.defineProperty(cached, 'kind', { value: 'Pod' }),
    ];
    for (const write of writes) {
      assert.throws(write, (cause) => {
        const { hint } = new DoorError('DOOR_JAMMED', 'the handler failed', { cause });
        assert.match(hint ?? '', /mutableCopy/, String(cause));
        return true;
      });
    }
    const other = new TypeError('x is not a function');
    assert.equal(new DoorError('DOOR_JAMMED', 'm', { cause: other }).hint, 'Push.');
  });

  it('prefers the hint and retry of the error over those of its catalogue', () => {
    const error = new DoorError('DOOR_JAMMED', 'jammed', { retry: 'unsafe', hint: 'Pull.' });
    assert.deepEqual([error.hint, error.retry], ['Pull.', 'unsafe']);
  });

  it('inherits the codes of the parent in a subclass with its own name', () => {
    const error = new GateError('DOOR_JAMMED', 'jammed');
    assert.deepEqual([error.name, error.retry], ['GateError', 'later']);
    assert.ok(error instanceof DoorError);
    assert.equal(new DoorError('DOOR_JAMMED', 'jammed') instanceof GateError, false);
  });
});

describe('retryOf', () => {
  it('takes the retry of the outermost client error', () => {
    const later = new ClientError('C', 'm', { retry: 'later' });
    assert.equal(retryOf(later), 'later');
    assert.equal(retryOf(new Error('wrapped', { cause: later })), 'later');
    assert.equal(retryOf(new ClientError('D', 'm', { cause: later })), 'never');
  });

  it('treats system errors as transient, and bugs as permanent', () => {
    const reset = Object.assign(new Error('read'), { code: 'ECONNRESET' });
    assert.equal(retryOf(reset), 'unsafe');
    const usage = Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' });
    for (const error of [usage, new TypeError('x'), 'text', undefined]) {
      assert.equal(retryOf(error), 'never');
    }
  });
});
