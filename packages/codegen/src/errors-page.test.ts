import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { apiErrorCatalogue } from 'client-ts/meta';
import { REST_ERRORS } from 'client-ts/rest';

import type { ErrorClass } from './error-classes.ts';
import { errorsPage, errorsPageText } from './errors-page.ts';

function family(
  name: string,
  codes: ErrorClass['codes'],
  more: Partial<ErrorClass> = {},
): ErrorClass {
  const description = `About ${name}.`;
  return { name, parent: 'ClientError', room: 'meta', description, texts: 'hint', codes, ...more };
}

describe('the page of errors', () => {
  it('has every code of the library, with what there is to say about it', () => {
    const [page = ''] = errorsPage.outputs().values();
    for (const { code, hint = '' } of apiErrorCatalogue) {
      assert.ok(page.includes(`| \`${code}\``), code);
      assert.ok(page.includes(hint), hint);
    }
    for (const [code, hint] of Object.entries(REST_ERRORS)) {
      assert.match(
        page,
        new RegExp(`\\| \`${code}\` +\\| ${hint.replaceAll(/[().]/g, String.raw`\$&`)}`),
      );
    }
    assert.match(page, /\| `API_NOT_FOUND` +\| NotFound +\| `isNotFound` +\|/);
    assert.match(
      page,
      /\| `API_TOO_MANY_REQUESTS` +\| TooManyRequests +\| `isTooManyRequests` +\|/,
    );
  });

  it('sorts families, names their special cases, and does not say a thing twice', () => {
    const page = errorsPageText([
      family('ZError', [{ code: 'Z', text: 'About ZError.' }]),
      family('AError', [
        { code: 'A_ONE', text: 'a | b' },
        { code: 'A_TWO', text: '' },
      ]),
      family('SpecialError', [], { parent: 'AError' }),
    ]);
    assert.ok(page.indexOf('## AError') < page.indexOf('## ZError'));
    assert.match(page, /\| `A_ONE` \| a \\\| b {5}\|/);
    assert.match(page, /- `SpecialError`: About SpecialError\./);
    assert.ok(
      page.endsWith('## ZError\n\nAbout ZError.\n\nFrom `client-ts/meta`. Its code is `Z`.\n'),
    );
  });

  it('does not let an error stay unlisted, nor a code mean two things', () => {
    assert.throws(() => errorsPageText([family('AError', [])]), /the codes of AError/);
    const code = { code: 'SAME', text: 'x' };
    assert.throws(
      () => errorsPageText([family('AError', [code]), family('BError', [code])]),
      /SAME is a code of AError and of BError/,
    );
  });
});
