import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseResourceArgument } from './resource-argument.ts';

describe('a word for a resource', () => {
  const words: readonly (readonly [string, readonly object[]])[] = [
    ['pods', [{ resource: 'pods' }]],
    ['deployments.apps', [{ resource: 'deployments', group: 'apps' }]],
    [
      'deployments.v1.apps',
      [
        { resource: 'deployments', version: 'v1', group: 'apps' },
        { resource: 'deployments', group: 'v1.apps' },
      ],
    ],
    [
      'widgets.example.com',
      [
        { resource: 'widgets', version: 'example', group: 'com' },
        { resource: 'widgets', group: 'example.com' },
      ],
    ],
    [
      'pods.v1.',
      [
        { resource: 'pods', version: 'v1', group: '' },
        { resource: 'pods', group: 'v1.' },
      ],
    ],
  ];
  for (const [word, expected] of words) {
    it(`can be ${word}`, () => {
      assert.deepEqual(parseResourceArgument(word).resources, expected);
    });
  }

  it('can be a kind as well', () => {
    assert.deepEqual(parseResourceArgument('Deployment.v1.apps').kinds, [
      { kind: 'Deployment', version: 'v1', group: 'apps' },
      { kind: 'Deployment', group: 'v1.apps' },
    ]);
  });
});
