import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ControllerError } from './controller-error.ts';
import { missingRule } from '../rbac/missing-rule.ts';
import { informerProblem, StartUpError } from './start-up-error.ts';

const widgets = { group: 'example.com', resource: 'widgets' };

describe('StartUpError', () => {
  it('names every resource, and has each fix once', () => {
    const cause = new Error('no');
    const denied = { state: 'denied', verb: 'watch', since: 0, error: cause } as const;
    const error = new StartUpError(
      [
        informerProblem(widgets, '', denied),
        informerProblem(widgets, '', denied),
        informerProblem(widgets, 'shop', { state: 'absent', since: 0, error: cause }),
        informerProblem(widgets, '', { state: 'syncing', received: 3 }),
      ],
      cause,
    );
    assert.ok(error instanceof ControllerError);
    assert.equal(
      error.message,
      'the manager cannot start: widgets.example.com may not watch: no; widgets.example.com may not watch: no; ' +
        'widgets.example.com in shop has nothing to list: no; widgets.example.com is syncing, 3 objects so far',
    );
    assert.equal(
      error.hint,
      [
        'Add this rule to the ClusterRole of the program:',
        '- apiGroups: ["example.com"]',
        '  resources: ["widgets"]',
        '  verbs: ["get", "list", "watch"]',
        'Install the definition of widgets.example.com, or watch it as optional(resource).',
      ].join('\n'),
    );
  });

  it('names the role of a namespace', () => {
    assert.match(missingRule(widgets, ['get'], 'shop'), /^Add this rule to the Role in shop /);
  });
});
