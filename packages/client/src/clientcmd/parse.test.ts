import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError } from './config-error.ts';
import { mergeKubeConfigs } from './kubeconfig.ts';
import { parseKubeConfig } from './parse.ts';

async function problemOf(text: string): Promise<string> {
  const error = await parseKubeConfig(text, 'f').then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConfigError);
  assert.equal(error.code, 'CONFIG_INVALID');
  return error.message;
}

describe('parseKubeConfig', () => {
  it('reads clusters, users, contexts and the current one', async () => {
    const config = await parseKubeConfig(
      `apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: c
  cluster: { server: https://10.0.0.1:6443, tls-server-name: api, proxy-url: socks5://p:1080 }
users:
- name: u
  user: { token: t, as: alice, as-groups: [g1, g2], as-user-extra: { reason: [x] } }
contexts:
- name: dev
  context: { cluster: c, user: u, namespace: web }
`,
      'f',
    );
    assert.equal(config.currentContext, 'dev');
    assert.equal(config.clusters.get('c')?.tlsServerName, 'api');
    assert.equal(config.clusters.get('c')?.origin, 'f');
    const user = config.users.get('u');
    assert.deepEqual(user?.impersonateGroups, ['g1', 'g2']);
    assert.deepEqual(user?.impersonateExtra, { reason: ['x'] });
    assert.deepEqual(config.contexts.get('dev'), {
      origin: 'f',
      cluster: 'c',
      user: 'u',
      namespace: 'web',
    });
  });

  it('reads an empty file as an empty config', async () => {
    const config = await parseKubeConfig('', 'f');
    assert.equal(config.clusters.size, 0);
    assert.equal(config.currentContext, '');
  });

  it('reads YAML 1.1 as kubectl does: yes is a boolean', async () => {
    const config = await parseKubeConfig(
      'clusters: [{ name: c, cluster: { server: s, insecure-skip-tls-verify: yes } }]',
      'f',
    );
    assert.equal(config.clusters.get('c')?.insecureSkipTlsVerify, true);
    assert.match(
      await problemOf('users: [{ name: on }]'),
      /^f: users\[0\]\.name: must be a string, but is a boolean/,
    );
  });

  it('names the file and the field of what is wrong', async () => {
    assert.equal(await problemOf('clusters: 5'), 'f: clusters: must be a list, but is a number');
    assert.equal(await problemOf('[]'), 'f: must be a mapping, but is a list');
    assert.equal(
      await problemOf('users: [{ name: u, user: { token: 5 } }]'),
      'f: users[0].user.token: must be a string, but is a number; put it in quotes',
    );
    assert.equal(
      await problemOf('clusters: [{ name: c, cluster: { certificate-authority-data: "***" } }]'),
      'f: clusters[0].cluster.certificate-authority-data: is not base64',
    );
    assert.equal(await problemOf('kind: Pod'), 'f: kind: must be Config, not "Pod"');
    assert.match(
      await problemOf('clusters: [{ name: c }, { name: c }]'),
      /^f: clusters\[1\]: there is another entry named "c"/,
    );
    assert.match(
      await problemOf(
        'users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: x } } }]',
      ),
      /^f: users\[0\]\.user\.exec\.interactiveMode: must be set/,
    );
  });

  it('takes the last of equal keys, and ignores a second document, as kubectl does', async () => {
    const config = await parseKubeConfig(
      'current-context: a\ncurrent-context: b\nclusters: [{ name: c, cluster: { server: one, server: two } }]\n---\nbroken: [\n',
      'f',
    );
    assert.equal(config.currentContext, 'b');
    assert.equal(config.clusters.get('c')?.server, 'two');
  });

  it('reads dates and sexagesimals as texts, as kubectl does', async () => {
    const config = await parseKubeConfig(
      'users:\n- name: 2020-01-01\n  user: { username: 12:30:45, password: 2001-12-14t21:59:43.10-05:00 }\n',
      'f',
    );
    const user = config.users.get('2020-01-01');
    assert.equal(user?.username, '12:30:45');
    assert.equal(user?.password, '2001-12-14t21:59:43.10-05:00');
  });

  it('refuses aliases that expand without bound', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? 's3cr3t' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    assert.equal(
      await problemOf(levels.join('\n')),
      'f: not valid YAML (document contains excessive aliasing)',
    );
  });

  it('neither quotes nor prints a misplaced secret', async (t) => {
    const warnings: unknown[] = [];
    const note = (warning: unknown): number => warnings.push(warning);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    const texts = [
      'users: [{ name: u, user: { ? { a: s3cr3t } : x } }]',
      'users: [{ name: u, user: { token: *s3cr3t } }]',
      'users: [{ name: u, user: { ? : s3cr3t } }]',
      'users: [{ name: u, user: { token: @s3cr3t } }]',
      'users: [{ name: u, user: { token: "s3cr3t" s3cr3t } }]',
      's3cr3t'.repeat(300) + ': 1',
    ];
    for (const text of texts) assert.doesNotMatch(await problemOf(text), /s3cr3t/, text);
    // Warnings come in a later turn.
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
  });

  it('never quotes the text around a syntax error, which may hold a token', async () => {
    const message = await problemOf('users:\n- name: u\n  user: {token: "s3cr3t\n');
    assert.doesNotMatch(message, /s3cr3t/);
    assert.match(message, /^f:\d+: not valid YAML/);
  });
});

describe('mergeKubeConfigs', () => {
  it('takes each entry whole from the first file that has its name', async () => {
    const first = await parseKubeConfig(
      'clusters: [{ name: c, cluster: { server: one } }]\nusers: [{ name: u, user: { token: a } }]',
      'first',
    );
    const second = await parseKubeConfig(
      'current-context: x\nclusters: [{ name: c, cluster: { server: two, proxy-url: http://p } }, { name: d, cluster: { server: three } }]',
      'second',
    );
    const third = await parseKubeConfig('current-context: other', 'third');
    const merged = mergeKubeConfigs([first, second, third]);
    assert.equal(merged.clusters.get('c')?.server, 'one');
    assert.equal(merged.clusters.get('c')?.proxyUrl, '');
    assert.equal(merged.clusters.get('d')?.origin, 'second');
    assert.equal(merged.currentContext, 'x');
    assert.equal(merged.currentContextOrigin, 'second');
  });
});
