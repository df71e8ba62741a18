import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';

import { formatKubeconfig } from './kubeconfig.ts';

describe('formatKubeconfig', () => {
  it('has one cluster, one user and one context, which is the current one', () => {
    const text = formatKubeconfig({
      server: 'https://127.0.0.1:6443',
      certificateAuthorityData: 'PEM',
      token: 'yes',
    });
    assert.deepEqual(parse(text), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'client-ts',
          cluster: {
            server: 'https://127.0.0.1:6443',
            'certificate-authority-data': Buffer.from('PEM').toString('base64'),
          },
        },
      ],
      users: [{ name: 'client-ts', user: { token: 'yes' } }],
      contexts: [
        {
          name: 'client-ts',
          context: { cluster: 'client-ts', user: 'client-ts', namespace: 'default' },
        },
      ],
      'current-context': 'client-ts',
    });
    // Readers of older YAML would take the bare word for a boolean.
    assert.match(text, /token: ["']yes["']/);
  });

  it('needs no authority without TLS', () => {
    assert.doesNotMatch(formatKubeconfig({ server: 'http://x', token: 't' }), /authority/);
  });
});
