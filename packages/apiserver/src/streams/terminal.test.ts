import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { RemoteTerminal } from './terminal.ts';

describe('RemoteTerminal', () => {
  it('takes sizes, and ignores everything else', () => {
    const terminal = new RemoteTerminal();
    const sizes: string[] = [];
    using _ = terminal.onResize(({ columns, rows }) => void sizes.push(`${columns}x${rows}`));
    const messages = [
      '{"Width":80,"Height":24}',
      '{"width":1,"height":2}',
      '',
      'null',
      '[]',
      '{',
      '{"Width":-1,"Height":24}',
      '{"Width":1.5,"Height":24}',
      '{"Width":"80","Height":24}',
      '{"Width":70000,"Height":24}',
      `{"Width":80,"Height":24,"x":"${'x'.repeat(2000)}"}`,
    ];
    for (const message of messages) terminal.receive(Buffer.from(message));
    assert.deepEqual(sizes, ['80x24', '1x2', '0x0']);
    assert.deepEqual(terminal.size, { columns: 0, rows: 0 });
  });
});
