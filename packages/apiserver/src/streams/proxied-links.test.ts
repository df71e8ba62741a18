import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { proxiedUrl, rewriteLinks } from './proxied-links.ts';

const prefix = '/api/v1/namespaces/a/pods/b/proxy';
const place = { host: '10.0.0.1:80', requestHost: 'localhost:8001', prefix };

describe('proxiedUrl', () => {
  // What kube-apiserver 1.36.4 makes of the same URLs.
  const cases: readonly (readonly [string, string])[] = [
    ['/login', `${prefix}/login`],
    ['/login/', `${prefix}/login/`],
    ['http://10.0.0.1:80/login/', `${prefix}/login/`],
    ['//10.0.0.1:80/p?q=1#f', `${prefix}/p?q=1#f`],
    ['http://localhost:8001/x', `http://localhost:8001${prefix}/x`],
    [`${prefix}/x`, `${prefix}/x`],
    ['/../up', '/api/v1/namespaces/a/pods/b/up'],
    ['https://elsewhere.example/', 'https://elsewhere.example/'],
    ['//elsewhere.example/x', '//elsewhere.example/x'],
    ['next', 'next'],
    ['?q=1', '?q=1'],
    ['#top', '#top'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['data:text/plain,/x', 'data:text/plain,/x'],
    ['', ''],
  ];
  for (const [url, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(url)}`, () => {
      assert.equal(proxiedUrl(url, place), expected);
    });
  }
});

describe('rewriteLinks', () => {
  it('rewrites the attributes with URLs, however they are written', () => {
    const html = '<A HREF=/x>x</A><img alt="/no" src = \'/y?a=1&amp;b=2\' /><form action="/f/">';
    assert.equal(
      rewriteLinks(html, place),
      `<A HREF="${prefix}/x">x</A><img alt="/no" src = "${prefix}/y?a=1&amp;b=2" /><form action="${prefix}/f/">`,
    );
  });

  it('leaves comments, scripts and other text alone, and rewrites what follows', () => {
    const same =
      '<!-- <a href="/c"> --><script>"<a href=\'/no\'>" </scrip</script><title><a href="/t"></title>' +
      '<p title="/x">a < b <a href="q">&copy;</a>';
    assert.equal(
      rewriteLinks(`${same}<script src="/s.js">x</script>`, place),
      `${same}<script src="${prefix}/s.js">x</script>`,
    );
  });

  it('leaves broken pages as they are', () => {
    for (const html of [
      '<',
      '<a',
      '<a href',
      '<a href="/x',
      '<!-- <a href="/x">',
      '<script>/x',
      '',
    ]) {
      assert.equal(rewriteLinks(html, place), html);
    }
  });
});
