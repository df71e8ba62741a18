import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { ClientError } from './errors.ts';
import { warnUnheard } from './warn-unheard.ts';

describe('warnUnheard', () => {
  it('warns through the process, each message once, with code and causes', async () => {
    const warnings: unknown[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    const warn = warnUnheard();
    const cause = new Error('the key is bent', { cause: 'age' });
    for (const message of ['no entry', 'no entry', 'no exit', 'no entry']) {
      warn(new ClientError('DOOR_SHUT', message, { cause }));
    }
    await once(process, 'warning');
    process.off('warning', note);
    const [first, second, ...others] = warnings as (Error & Record<string, unknown>)[];
    assert.deepEqual([first?.message, second?.message, others], ['no entry', 'no exit', []]);
    assert.equal(first?.['code'], 'DOOR_SHUT');
    assert.match(String(first?.['detail']), /^Error: the key is bent\n[^]*\nage$/);
  });
});
