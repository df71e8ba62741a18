import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { readYaml } from './yaml-documents.ts';
import { writeYaml } from './yaml-writer.ts';

describe('writeYaml', () => {
  it('writes lists without indentation and a lone dot without quotes', () => {
    assert.equal(writeYaml({ a: [{ b: 1 }], 'f:c': { '.': {} } }), 'a:\n- b: 1\nf:c:\n  .: {}\n');
  });

  it('quotes strings that read as another type', () => {
    assert.equal(
      writeYaml(['yes', '1', 'null', '<<', 'plain']),
      '- "yes"\n- "1"\n- "null"\n- "<<"\n- plain\n',
    );
  });

  it('leaves the lines of a long text as they are', () => {
    const script = 'first\n".": second\n<<: third\n';
    assert.deepEqual(readYaml(writeYaml({ script })), { script });
  });

  it('writes what the reader reads back', () => {
    const values = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(values, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as never;
        assert.deepEqual(readYaml(writeYaml(plain)), plain);
      }),
    );
  });
});
