import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TransportError } from '../transport-error.ts';
import { hostAndPort, isDirect, proxyFor } from './proxy-settings.ts';

const https = new URL('https://api.example.com:6443');
const http = new URL('http://api.example.com');

describe('proxyFor', () => {
  it('prefers the configured proxy over the environment', () => {
    const env = { HTTPS_PROXY: 'http://other:1', NO_PROXY: '*' };
    assert.deepEqual(proxyFor(https, 'http://proxy.example.com:3128', env), {
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

  it('has the default ports of the schemes', () => {
    const port = (url: string): number | undefined => proxyFor(https, url, {})?.port;
    assert.equal(port('http://proxy'), 80);
    assert.equal(port('https://proxy'), 443);
    assert.equal(port('socks5://proxy'), 1080);
    assert.equal(port('socks5h://proxy'), 1080);
  });

  it('looks into the environment by the scheme of the server, capitals first', () => {
    const env = {
      HTTPS_PROXY: 'http://secure:1',
      https_proxy: 'http://small:2',
      http_proxy: 'plain:3',
    };
    assert.equal(proxyFor(https, undefined, env)?.name, 'secure:1');
    assert.equal(proxyFor(http, undefined, env)?.name, 'plain:3');
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
    const env = { https_proxy: 'ftp://u:secret@proxy' };
    assert.throws(() => proxyFor(https, undefined, env), check('https_proxy'));
  });
});

describe('hostAndPort', () => {
  it('removes brackets, and has the default ports of the schemes', () => {
    assert.deepEqual(hostAndPort(https), { host: 'api.example.com', port: 6443 });
    assert.deepEqual(hostAndPort(http), { host: 'api.example.com', port: 80 });
    assert.deepEqual(hostAndPort(new URL('https://[::1]/')), { host: '::1', port: 443 });
  });
});

const direct = (host: string, list: string, port = 443): boolean => isDirect({ host, port }, list);

describe('isDirect', () => {
  it('matches a name and its subdomains', () => {
    assert.ok(direct('example.com', 'example.com'));
    assert.ok(direct('API.Example.COM', 'example.com'));
    assert.ok(direct('a.b.example.com', 'other.org, example.com'));
    assert.equal(direct('notexample.com', 'example.com'), false);
    assert.equal(direct('example.com.evil.org', 'example.com'), false);
  });

  it('matches only the subdomains for a leading dot or star', () => {
    for (const entry of ['.example.com', '*.example.com']) {
      assert.ok(direct('a.example.com', entry));
      assert.equal(direct('example.com', entry), false);
    }
  });

  it('matches addresses and ranges', () => {
    assert.ok(direct('10.1.2.3', '10.1.2.3'));
    assert.ok(direct('10.1.2.3', '10.0.0.0/8'));
    assert.ok(direct('10.1.2.3', '192.168.0.0/16,10.1.2.0/24'));
    assert.equal(direct('11.1.2.3', '10.0.0.0/8'), false);
    assert.ok(direct('fd00::1', 'fd00::/8'));
    assert.ok(direct('fd00:0:0::1', '[fd00::1]'));
    assert.ok(direct('fd00::1', 'fd00::1'));
    assert.equal(direct('fe80::1', 'fd00::/8'), false);
    assert.equal(direct('10.1.2.3', 'fd00::/8'), false);
  });

  it('does not take names for addresses, nor nonsense for a range', () => {
    assert.equal(direct('a.example.com', '10.0.0.0/8'), false);
    for (const entry of ['10.0.0.0/33', '10.0.0.0/x', 'example.com/8', '/', '10.0.0.0/-1']) {
      assert.equal(direct('10.0.0.1', entry), false);
    }
  });

  it('compares the port, if there is one', () => {
    assert.ok(direct('example.com', 'example.com:6443', 6443));
    assert.equal(direct('example.com', 'example.com:6443', 443), false);
    assert.ok(direct('10.1.2.3', '10.1.2.3:6443', 6443));
    assert.equal(direct('10.1.2.3', '10.1.2.3:6443', 443), false);
    assert.ok(direct('fd00::1', '[fd00::1]:6443', 6443));
    assert.equal(direct('fd00::1', '[fd00::1]:6443', 443), false);
  });

  it('matches everything for a star, and nothing for an empty list', () => {
    assert.ok(direct('example.com', 'x, *'));
    assert.equal(direct('example.com', ''), false);
    assert.equal(direct('example.com', ' , '), false);
  });

  it('never sends loopback through a proxy', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) assert.ok(direct(host, ''));
    assert.equal(direct('128.0.0.1', ''), false);
  });

  it('agrees with arithmetic on IPv4 ranges', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(fc.integer({ min: 1, max: 126 }), octet, octet, octet);
    const number = (parts: readonly number[]): number =>
      parts.reduce((sum, part) => sum * 256 + part, 0);
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (left, right, length) => {
        const size = 2 ** (32 - length);
        const expected = Math.floor(number(left) / size) === Math.floor(number(right) / size);
        assert.equal(direct(left.join('.'), `${right.join('.')}/${length}`), expected);
      }),
    );
  });
});
