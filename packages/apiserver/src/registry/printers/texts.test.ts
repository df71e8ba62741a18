import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstFew, formatLabels, formatSelector, hostPort, selectorText } from './texts.ts';

describe('cell texts', () => {
  it('sort labels', () => {
    assert.equal(formatLabels({ b: '2', a: '1' }), 'a=1,b=2');
    for (const none of [{}, null, undefined]) assert.equal(formatLabels(none), '<none>');
  });

  it('write selectors in their request syntax', () => {
    const matchExpressions = [
      { key: 'c', operator: 'In', values: ['y', 'x'] },
      { key: 'd', operator: 'DoesNotExist' },
    ];
    assert.equal(
      formatSelector({ matchLabels: { a: '1' }, matchExpressions }),
      'a=1,c in (x,y),!d',
    );
    for (const none of [{}, null, undefined]) assert.equal(formatSelector(none), '<none>');
  });

  it('mark invalid selectors', () => {
    const wrong = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
    assert.equal(formatSelector(wrong), '<error>');
    assert.equal(selectorText(wrong, '<invalid>'), '<invalid>');
    assert.equal(selectorText({}, '<invalid>'), '');
  });

  it('shorten long lists', () => {
    assert.equal(firstFew(['a', 'b', 'c']), 'a,b,c');
    assert.equal(firstFew(['a', 'b', 'c', 'd', 'e']), 'a,b,c + 2 more...');
    assert.equal(firstFew(['a', 'b', 'c'], 2, ', '), 'a, b + 1 more...');
    assert.equal(firstFew([]), '');
  });

  it('put brackets around IPv6 addresses with a port', () => {
    assert.equal(hostPort('192.0.2.1', 80), '192.0.2.1:80');
    assert.equal(hostPort('2001:db8::1', 80), '[2001:db8::1]:80');
  });
});
