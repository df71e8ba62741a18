import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import { NameScope, pascalCase, propertyKey, resourceVariable, stringLiteral } from './names.ts';

test('names a resource by its plural with the capitals of its kind', () => {
  const names: [kind: string, plural: string, variable: string][] = [
    ['Pod', 'pods', 'pods'],
    ['NetworkPolicy', 'networkpolicies', 'networkPolicies'],
    ['Ingress', 'ingresses', 'ingresses'],
    ['Endpoints', 'endpoints', 'endpoints'],
    ['CSINode', 'csinodes', 'csiNodes'],
    ['CSIStorageCapacity', 'csistoragecapacities', 'csiStorageCapacities'],
    ['APIService', 'apiservices', 'apiServices'],
    ['IPAddress', 'ipaddresses', 'ipAddresses'],
    ['ServiceCIDR', 'servicecidrs', 'serviceCIDRs'],
    ['VM', 'vms', 'vms'],
    ['Mouse', 'mice', 'mice'],
    ['foo-Bar', 'foo-bars', 'fooBars'],
    ['New', 'new', 'newResource'],
  ];
  for (const [kind, plural, variable] of names) {
    assert.equal(resourceVariable(kind, plural), variable);
  }
});

test('names types in Pascal case', () => {
  assert.equal(pascalCase('Widget spec pod-template'), 'WidgetSpecPodTemplate');
  assert.equal(pascalCase('x-1.y'), 'X1Y');
  assert.equal(pascalCase('1st'), 'N1st');
  assert.equal(pascalCase('___'), 'N');
});

test('turns any name into an identifier', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (kind, plural) => {
      assert.match(pascalCase(kind), /^[A-Za-z][A-Za-z0-9]*$/);
      assert.match(resourceVariable(kind, plural), /^[a-z][A-Za-z0-9]*$/);
    }),
  );
});

test('a literal evaluates to its string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const literal = stringLiteral(value);
      assert.equal(evaluate(literal), value);
      const key = propertyKey(value);
      if (key !== literal) assert.match(key, /^[A-Za-z_$][\w$]*$/);
      if (key !== literal) assert.equal(key, value);
    }),
  );
});

test('a literal uses the quotes that need fewer escapes', () => {
  assert.equal(stringLiteral('plain'), "'plain'");
  assert.equal(stringLiteral("it's"), `"it's"`);
  assert.equal(stringLiteral('say "so"'), `'say "so"'`);
  assert.equal(stringLiteral(`it's "so"`), String.raw`'it\'s "so"'`);
});

test('a name that is claimed twice gets a number', () => {
  const scope = new NameScope();
  assert.deepEqual(
    ['Widget', 'Widget', 'Widget2', 'Widget'].map((name) => scope.claim(name)),
    ['Widget', 'Widget2', 'Widget22', 'Widget3'],
  );
  assert.ok(scope.has('Widget3'));
  assert.ok(!scope.has('Widget4'));
});

/** The value of a JavaScript expression. */
function evaluate(expression: string): unknown {
  return runInNewContext(`(${expression})`);
}
