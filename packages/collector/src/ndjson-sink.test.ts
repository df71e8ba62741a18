import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileTarget, NdjsonSink } from './ndjson-sink.ts';
import { anEvent, folder } from './test-events.ts';

describe('NdjsonSink', () => {
  it('appends one line per event and gap', async (t) => {
    const path = join(await folder(t), 'events.ndjson');
    const gap = { from: undefined, to: '2026-01-01T00:00:00.000Z', reason: 'gone' };
    {
      await using sink = new NdjsonSink(await fileTarget({ path, maxBytes: Infinity, keep: 0 }));
      await sink.write([anEvent(1), anEvent(2, { message: 'two\nlines' })], undefined);
      await sink.write([], undefined);
    }
    await using sink = new NdjsonSink(await fileTarget({ path, maxBytes: Infinity, keep: 0 }));
    await sink.recordGap(gap);
    const lines = (await readFile(path, 'utf8')).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        anEvent(1),
        anEvent(2, { message: 'two\nlines' }),
        { gap: { to: gap.to, reason: gap.reason } },
      ],
    );
  });

  it('terminates an incomplete last line first', async (t) => {
    const path = join(await folder(t), 'events.ndjson');
    await writeFile(path, '{"uid":"ha');
    await using sink = new NdjsonSink(await fileTarget({ path, maxBytes: Infinity, keep: 0 }));
    await sink.write([anEvent(1)], undefined);
    const lines = (await readFile(path, 'utf8')).split('\n');
    assert.deepEqual(lines, ['{"uid":"ha', JSON.stringify(anEvent(1)), '']);
  });
});
