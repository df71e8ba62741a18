import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { groupVersionPath, joinPath, parameterPairs, queryString, targetPath } from './path.ts';

const invalid = { code: 'REST_REQUEST_INVALID' };

describe('groupVersionPath', () => {
  it('puts the core group under /api and all others under /apis', () => {
    assert.equal(groupVersionPath({ group: '', version: 'v1' }), '/api/v1');
    assert.equal(groupVersionPath({ group: 'apps', version: 'v1' }), '/apis/apps/v1');
  });

  it('rejects invalid path segments', () => {
    assert.throws(() => groupVersionPath({ group: 'a/b', version: 'v1' }), invalid);
    assert.throws(() => groupVersionPath({ group: '', version: '..' }), invalid);
    assert.throws(() => groupVersionPath({ group: '', version: '' }), invalid);
  });
});

describe('targetPath', () => {
  it('includes every part', () => {
    const target = {
      namespace: 'default',
      resource: 'pods',
      name: 'web',
      subresources: ['status'],
    };
    assert.equal(targetPath(target), '/namespaces/default/pods/web/status');
    assert.equal(targetPath({}), '');
    assert.equal(targetPath({ namespace: '', resource: 'pods' }), '/pods');
  });

  it('lower-cases resources and keeps the case of names', () => {
    assert.equal(targetPath({ resource: 'Pods', name: 'System:Admin' }), '/pods/System:Admin');
  });

  it('escapes characters that are special in URLs', () => {
    assert.equal(targetPath({ resource: 'pods', name: 'a b?c#d' }), '/pods/a%20b%3Fc%23d');
    assert.equal(
      targetPath({ resource: 'x', name: "a+b$c&d,e;f=g@h:i!'" }),
      "/x/a+b$c&d,e;f=g@h:i!'",
    );
  });

  it('names the invalid part', () => {
    const cases: [Parameters<typeof targetPath>[0], RegExp][] = [
      [{ namespace: 'a/b' }, /invalid namespace "a\/b": may not contain '\/'/],
      [{ resource: 'a%b' }, /invalid resource "a%b": may not contain '%'/],
      [{ name: '..' }, /invalid name "\.\.": may not be '\.\.'/],
      [{ name: '' }, /invalid name "": may not be empty/],
      [{ name: 'a\ud800' }, /invalid name ".*": may not contain half of a surrogate pair/],
      [{ namespace: '\udc00' }, /invalid namespace ".*": may not contain half of a surrogate pair/],
      [{ subresources: ['status', '.'] }, /invalid subresource "\."/],
    ];
    for (const [target, message] of cases) {
      assert.throws(() => targetPath(target), { ...invalid, message });
    }
  });

  it('encodes every name it accepts so that it decodes to the same name', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((name) => !/[/%]/.test(name));
    fc.assert(
      fc.property(names, (name) => {
        fc.pre(name !== '.' && name !== '..');
        const { pathname, search, hash } = new URL(`http://host${targetPath({ name })}`);
        assert.deepEqual(
          { name: decodeURIComponent(pathname.slice(1)), search, hash },
          { name, search: '', hash: '' },
        );
      }),
    );
  });
});

describe('joinPath', () => {
  it('joins parts with exactly one slash, and keeps a trailing one', () => {
    assert.equal(joinPath('/apis/', '/apps', 'v1'), '/apis/apps/v1');
    assert.equal(joinPath('/healthz/'), '/healthz/');
    assert.equal(joinPath(), '/');
    assert.equal(joinPath('/'), '/');
    assert.equal(joinPath('a b', 'c%20d'), '/a%20b/c%2520d');
  });

  it('rejects a lone surrogate', () => {
    assert.throws(() => joinPath('a', 'b\ud800'), { ...invalid, message: /the path .*surrogate/ });
  });

  it('rejects dot segments', () => {
    assert.throws(() => joinPath('/api', '../secrets'), invalid);
    assert.throws(() => joinPath('/api/./v1'), invalid);
  });
});

describe('queryString', () => {
  it('repeats the name for each item of a list, and omits undefined', () => {
    const pairs = parameterPairs({ limit: 5, watch: true, dryRun: ['All', 'x'], none: undefined });
    assert.equal(queryString(pairs), '?limit=5&watch=true&dryRun=All&dryRun=x');
    assert.equal(queryString([]), '');
  });

  it('round-trips through URLSearchParams', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' }))), (pairs) => {
        assert.deepEqual([...new URLSearchParams(queryString(pairs))], pairs);
      }),
    );
  });
});
