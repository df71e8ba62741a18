import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { errorClassesIn } from './error-classes.ts';

describe('errorClassesIn', () => {
  it('reads name, parent, room and description', () => {
    const source = `
/**
 * A thing is not as it should be.
 * See {@link Thing.name}.
 */
export class ThingError extends ClientError {
  declare readonly code: ThingErrorCode;
}

/** Lost. */
export class LostThingError extends ThingError {
}
`;
    assert.deepEqual(errorClassesIn(source, 'things/thing-error.ts'), [
      {
        name: 'ThingError',
        parent: 'ClientError',
        room: 'things',
        description: 'A thing is not as it should be. See `name`.',
      },
      { name: 'LostThingError', parent: 'ThingError', room: 'things', description: 'Lost.' },
    ]);
  });

  it('finds none where there are none', () => {
    const [silent] = errorClassesIn('export class OddError extends ClientError {\n}\n', 'x/y.ts');
    assert.equal(silent?.description, '');
    assert.deepEqual(errorClassesIn('export class Thing {\n}\n', 'x/y.ts'), []);
  });
});
