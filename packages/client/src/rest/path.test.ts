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

  it('refuses what is no part of a path', () => {
    assert.throws(() => groupVersionPath({ group: 'a/b', version: 'v1' }), invalid);
    assert.throws(() => groupVersionPath({ group: '', version: '..' }), invalid);
    assert.throws(() => groupVersionPath({ group: '', version: '' }), invalid);
  });
});

describe('targetPath', () => {
  it('has a place for every part', () => {
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

  it('writes resources in lower case and leaves names as they are', () => {
    assert.equal(targetPath({ resource: 'Pods', name: 'System:Admin' }), '/pods/System:Admin');
  });

  it('escapes what a URL would read otherwise', () => {
    assert.equal(targetPath({ resource: 'pods', name: 'a b?c#d' }), '/pods/a%20b%3Fc%23d');
    assert.equal(
      targetPath({ resource: 'x', name: "a+b$c&d,e;f=g@h:i!'" }),
      "/x/a+b$c&d,e;f=g@h:i!'",
    );
  });

  it('names the part that cannot be', () => {
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
  it('joins parts at exactly one slash, and keeps one at the end', () => {
    assert.equal(joinPath('/apis/', '/apps', 'v1'), '/apis/apps/v1');
    assert.equal(joinPath('/healthz/'), '/healthz/');
    assert.equal(joinPath(), '/');
    assert.equal(joinPath('/'), '/');
    assert.equal(joinPath('a b', 'c%20d'), '/a%20b/c%2520d');
  });

  it('refuses half of a surrogate pair', () => {
    assert.throws(() => joinPath('a', 'b\ud800'), { ...invalid, message: /the path .*surrogate/ });
  });

  it('does not climb', () => {
    assert.throws(() => joinPath('/api', '../secrets'), invalid);
    assert.throws(() => joinPath('/api/./v1'), invalid);
  });
});

describe('queryString', () => {
  it('sends lists item by item and leaves out what is undefined', () => {
    const pairs = parameterPairs({ limit: 5, watch: true, dryRun: ['All', 'x'], none: undefined });
    assert.equal(queryString(pairs), '?limit=5&watch=true&dryRun=All&dryRun=x');
    assert.equal(queryString([]), '');
  });

  it('is read back as it was meant', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' }))), (pairs) => {
        assert.deepEqual([...new URLSearchParams(queryString(pairs))], pairs);
      }),
    );
  });
});
