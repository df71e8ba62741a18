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
  return {
    name,
    parent: 'ClientError',
    module: 'client-ts/meta',
    isExported: true,
    description,
    codes,
    ...more,
  };
}

describe('the page of errors', () => {
  it('lists every code of the library with its retry and hint', async () => {
    const [page = ''] = (await errorsPage()).outputs().values();
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

  it('has a section for every published package, with its codes', async () => {
    const [page = ''] = (await errorsPage()).outputs().values();
    const sections = page.split(/^## /m);
    for (const [module, prefix] of [
      ['client-ts/cache', 'CACHE'],
      ['@client-ts/apiserver', 'APISERVER'],
      ['@client-ts/collector', 'COLLECTOR'],
      ['@client-ts/simulator', 'SIMULATOR'],
      ['@client-ts/codegen', 'CODEGEN'],
      ['@client-ts/cli', 'CLI'],
    ]) {
      const section = sections.find((text) => text.startsWith(`${module}\n`)) ?? '';
      assert.match(section, new RegExp(`^\\| \`${prefix}_`, 'm'));
    }
  });

  it('puts the modules of the client first, and marks classes that are not exported', () => {
    const page = errorsPageText([
      family('AError', { A: { retry: 'never' } }, { module: '@client-ts/a', isExported: false }),
      family('ZError', { Z: { retry: 'never' } }, { module: 'client-ts/z' }),
    ]);
    assert.ok(page.indexOf('## client-ts/z') < page.indexOf('## @client-ts/a'));
    assert.equal(page.match(/Not exported/g)?.length, 1);
    assert.match(page, /### AError\n\nAbout AError\.\n\nNot exported/);
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
    assert.ok(page.indexOf('### AError') < page.indexOf('### ZError'));
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
  it('reads name, parent and description', () => {
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
    assert.deepEqual(errorClassesIn(source), [
      {
        name: 'ThingError',
        parent: 'ClientError',
        description: 'A thing is not as it should be. See `name`.',
      },
      { name: 'LostThingError', parent: 'ThingError', description: 'Lost.' },
    ]);
  });

  it('returns no class for other declarations, and no description without a comment', () => {
    const [silent] = errorClassesIn('export class OddError extends ClientError {\n}\n');
    assert.equal(silent?.description, '');
    assert.deepEqual(errorClassesIn('export class Thing {\n}\n'), []);
  });
});
