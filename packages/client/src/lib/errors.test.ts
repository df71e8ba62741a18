import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientError, errorChain } from './errors.ts';

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

  it('is recognised across copies of the package', async () => {
    // A query makes the loader evaluate the module once more, as a duplicate install would.
    const self = import.meta.url.replace('.test', '');
    const copy = (await import(`${self}?copy`)) as { ClientError: typeof ClientError };
    assert.notEqual(copy.ClientError, ClientError);
    assert.ok(new copy.ClientError('C', 'm') instanceof ClientError);
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
