import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TransportError } from '../transport-error.ts';
import { hostAndPort, proxyFor } from './proxy-settings.ts';

const https = new URL('https://api.example.com:6443');
const http = new URL('http://api.example.com');

describe('proxyFor', () => {
  it('uses the configured proxy, whatever the environment says', () => {
    const environment = { HTTPS_PROXY: 'http://other:1', NO_PROXY: '*' };
    assert.deepEqual(proxyFor(https, 'http://proxy.example.com:3128', environment), {
      kind: 'http',
      host: 'proxy.example.com',
      port: 3128,
      name: 'proxy.example.com:3128',
    });
  });

  it('takes credentials apart, and names the proxy without them', () => {
    assert.deepEqual(proxyFor(https, 'socks5://us%40er:pass%3Aword@[fd00::1]:1081', {}), {
      kind: 'socks5',
      host: 'fd00::1',
      port: 1081,
      name: '[fd00::1]:1081',
      username: 'us@er',
      password: 'pass:word',
    });
  });

  it('knows the ports that go without saying', () => {
    const port = (url: string): number | undefined => proxyFor(https, url, {})?.port;
    assert.equal(port('http://proxy'), 80);
    assert.equal(port('https://proxy'), 443);
    assert.equal(port('socks5://proxy'), 1080);
    assert.equal(port('socks5h://proxy'), 1080);
  });

  it('looks into the environment by the scheme of the server, capitals first', () => {
    const environment = {
      HTTPS_PROXY: 'http://secure:1',
      https_proxy: 'http://small:2',
      http_proxy: 'plain:3',
    };
    assert.equal(proxyFor(https, undefined, environment)?.name, 'secure:1');
    assert.equal(proxyFor(http, undefined, environment)?.name, 'plain:3');
    const small = { HTTPS_PROXY: '', https_proxy: 'http://small:2' };
    assert.equal(proxyFor(https, undefined, small)?.name, 'small:2');
    assert.equal(proxyFor(https, undefined, {}), undefined);
  });

  it('leaves out what NO_PROXY names', () => {
    const proxy = { HTTPS_PROXY: 'http://secure:1' };
    assert.equal(proxyFor(https, undefined, { ...proxy, NO_PROXY: '.example.com' }), undefined);
    assert.equal(proxyFor(https, undefined, { ...proxy, no_proxy: 'example.com:6443' }), undefined);
    assert.equal(
      proxyFor(https, undefined, { ...proxy, NO_PROXY: 'example.com:443' })?.name,
      'secure:1',
    );
    const address = new URL('https://10.96.0.1');
    assert.equal(proxyFor(address, undefined, { ...proxy, NO_PROXY: '10.96.0.0/12' }), undefined);
  });

  it('names the field or variable that is wrong, and not what is in it', () => {
    const check = (name: string) => (error: unknown) =>
      error instanceof TransportError &&
      error.code === 'TRANSPORT_CONFIG' &&
      error.message.startsWith(`${name} `) &&
      !error.message.includes('secret');
    for (const url of ['ftp://u:secret@proxy', 'u:secret@proxy', 'http://', 'http://u:secret@']) {
      assert.throws(() => proxyFor(https, url, {}), check('proxyUrl'));
    }
    const environment = { https_proxy: 'ftp://u:secret@proxy' };
    assert.throws(() => proxyFor(https, undefined, environment), check('https_proxy'));
  });
});

describe('hostAndPort', () => {
  it('takes brackets off, and knows the ports that go without saying', () => {
    assert.deepEqual(hostAndPort(https), { host: 'api.example.com', port: 6443 });
    assert.deepEqual(hostAndPort(http), { host: 'api.example.com', port: 80 });
    assert.deepEqual(hostAndPort(new URL('https://[::1]/')), { host: '::1', port: 443 });
  });
});
