import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { errorClassesIn } from './error-classes.ts';

describe('errorClassesIn', () => {
  it('reads codes from a constant with hints', () => {
    const source = `
/** All of them. */
export const THING_ERRORS = {
  THING_LOST:
    'Look for it: it is not far.',
  THING_BROKEN: "Mend it, or don't.",
} as const;

export type ThingErrorCode = keyof typeof THING_ERRORS;

/**
 * A thing is not as it should be. See {@link Thing.name}.
 */
export class ThingError extends ClientError {
  declare readonly code: ThingErrorCode;
}
`;
    assert.deepEqual(errorClassesIn(source, 'things/thing-error.ts'), [
      {
        name: 'ThingError',
        parent: 'ClientError',
        room: 'things',
        description: 'A thing is not as it should be. See `name`.',
        texts: 'hint',
        codes: [
          { code: 'THING_LOST', text: 'Look for it: it is not far.' },
          { code: 'THING_BROKEN', text: "Mend it, or don't." },
        ],
      },
    ]);
  });

  it('reads codes from a union with comments', () => {
    const source = `
export type ThingErrorCode =
  /** It is gone. */
  | 'THING_LOST'
  /**
   * It does not
   * work.
   */
  | 'THING_BROKEN';

/** A thing. */
export class ThingError extends ClientError {
  declare readonly code: ThingErrorCode;
}
`;
    const [found] = errorClassesIn(source, 'things/x.ts');
    assert.equal(found?.texts, 'meaning');
    assert.deepEqual(found?.codes, [
      { code: 'THING_LOST', text: 'It is gone.' },
      { code: 'THING_BROKEN', text: 'It does not work.' },
    ]);
    const unexplained = source.replace('/** It is gone. */', '');
    assert.throws(() => errorClassesIn(unexplained, 'things/x.ts'), /not every code is explained/);
  });

  it('reads the only code from the call of super', () => {
    const source = `
/** No time. */
export class TimeError extends ClientError {
  constructor() {
    super(
      'TIME_INVALID', 'no time');
  }
}

/** No space. */
export class SpaceError extends ClientError {
  constructor() {
    super('SPACE_INVALID', 'no space', { hint: 'Make room.' });
  }
}
`;
    const [time, space] = errorClassesIn(source, 'meta/x.ts');
    assert.deepEqual(time?.codes, [{ code: 'TIME_INVALID', text: 'No time.' }]);
    assert.deepEqual(space?.codes, [{ code: 'SPACE_INVALID', text: 'Make room.' }]);
    assert.equal(space?.texts, 'hint');
  });

  it('finds none where there are none', () => {
    const [silent] = errorClassesIn('export class OddError extends ClientError {\n}\n', 'x/y.ts');
    assert.deepEqual([silent?.codes, silent?.description], [[], '']);
    assert.deepEqual(errorClassesIn('export class Thing {\n}\n', 'x/y.ts'), []);
  });
});
