import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { apiErrorCatalogue } from 'client-ts/meta';
import { REST_ERRORS } from 'client-ts/rest';

import { type ErrorClass, errorClassesIn, errorsPage, errorsPageText } from './errors-page.ts';

function family(
  name: string,
  codes: ErrorClass['codes'],
  more: Partial<ErrorClass> = {},
): ErrorClass {
  const description = `About ${name}.`;
  return { name, parent: 'ClientError', room: 'meta', description, codes, ...more };
}

describe('the page of errors', () => {
  it('lists every code of the library with its retry and hint', () => {
    const [page = ''] = errorsPage.outputs().values();
    for (const { code, hint = '' } of apiErrorCatalogue) {
      assert.ok(page.includes(`| \`${code}\``), code);
      assert.ok(page.includes(hint), hint);
    }
    for (const [code, { retry, hint }] of Object.entries(REST_ERRORS)) {
      const text = hint.replaceAll(/[().]/g, String.raw`\$&`);
      assert.match(page, new RegExp(`\\| \`${code}\` +\\| ${retry} +\\| ${text}`));
    }
    assert.match(page, /\| `API_NOT_FOUND` +\| NotFound +\| `isNotFound` +\| never +\|/);
    assert.match(
      page,
      /\| `API_TOO_MANY_REQUESTS` +\| TooManyRequests +\| `isTooManyRequests` +\| later +\|/,
    );
  });

  it('sorts families, lists their special cases, and leaves out empty columns', () => {
    const page = errorsPageText([
      family('ZError', { Z: { retry: 'never', when: 'It happens.' } }),
      family('AError', {
        A_ONE: { retry: 'later', hint: 'a | b' },
        A_TWO: { retry: 'unsafe' },
      }),
      family('SpecialError', {}, { parent: 'AError' }),
    ]);
    assert.ok(page.indexOf('## AError') < page.indexOf('## ZError'));
    assert.match(page, /\| `A_ONE` \| later  \| a \\\| b {5}\|/);
    assert.match(page, /- `SpecialError`: About SpecialError\./);
    assert.match(
      page,
      /\| Code \| When {8}\| Retry \|\n.*\n\| `Z`  \| It happens\. \| never \|\n$/,
    );
  });

  it('refuses an error class without codes, and a code of two classes', () => {
    assert.throws(() => errorsPageText([family('AError', {})]), /AError has no codes/);
    const codes = { SAME: { retry: 'never' } } as const;
    assert.throws(
      () => errorsPageText([family('AError', codes), family('BError', codes)]),
      /SAME is a code of AError and of BError/,
    );
  });
});

describe('errorClassesIn', () => {
  it('reads name, parent, module and description', () => {
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

  it('returns no class for other declarations, and no description without a comment', () => {
    const [silent] = errorClassesIn('export class OddError extends ClientError {\n}\n', 'x/y.ts');
    assert.equal(silent?.description, '');
    assert.deepEqual(errorClassesIn('export class Thing {\n}\n', 'x/y.ts'), []);
  });
});
