import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { apiVersionOf, type GroupVersion } from '../meta/resource.ts';
import { chooseOne } from './mapping-error.ts';
import { ResourceTable } from './resource-table.ts';
import { resource, serverResources } from './test-resources.ts';

/** Few names, so that they meet: in other groups, in other versions, as each other's singulars. */
const name = fc.constantFrom('a', 'as', 'b', 'bs', 'cs');
const groupVersion = fc.record<GroupVersion>({
  group: fc.constantFrom('', 'apps', 'x.example.com', 'y.example.com', 'z.k8s.io'),
  version: fc.constantFrom('v1', 'v1beta1', 'v2'),
});
const served = fc
  .uniqueArray(fc.tuple(groupVersion, fc.uniqueArray(name, { minLength: 1 })), {
    selector: ([place]) => apiVersionOf(place),
  })
  .map((lists) =>
    serverResources(
      Object.fromEntries(
        lists.map(([place, names]) => [
          apiVersionOf(place),
          names.map((each) => resource(each, { shortNames: [`${each}hort`] })),
        ]),
      ),
    ),
  );

describe('the table of resources, whatever a server serves', () => {
  it('finds every resource by each of its names, in full', () => {
    const property = fc.property(served, (all) => {
      const table = new ResourceTable(all);
      for (const list of all.resources) {
        const [first = '', second] = list.groupVersion.split('/');
        const place =
          second === undefined ? { group: '', version: first } : { group: first, version: second };
        for (const { name: plural, singularName, kind, shortNames = [] } of list.resources) {
          const isPlural = list.resources.some((other) => other.name === singularName);
          const singular = isPlural ? [] : [singularName];
          for (const each of [plural, plural.toUpperCase(), ...singular, ...shortNames]) {
            const found = table.findResources({ ...place, resource: each });
            assert.ok(
              found.some((item) => item.resource === plural),
              each,
            );
          }
          assert.ok(
            table.findKinds({ ...place, kind }).some((item) => item.resource === plural),
            kind,
          );
        }
      }
    });
    fc.assert(property);
  });

  it('lists candidates by group, the core group first, and takes the first or none', () => {
    const property = fc.property(served, name, (all, wanted) => {
      const found = new ResourceTable(all).findResources({ resource: wanted });
      const groups = found.map(({ group }) => group);
      const order = ['', ...all.groups.map((group) => group.name).filter((group) => group !== '')];
      assert.deepEqual(
        groups,
        groups.toSorted((left, right) => order.indexOf(left) - order.indexOf(right)),
      );
      let chosen: unknown;
      try {
        chosen = chooseOne(wanted, found);
      } catch (error) {
        assert.equal(Reflect.get(error as object, 'code'), 'DISCOVERY_AMBIGUOUS_MATCH');
        assert.equal(Reflect.get(error as object, 'candidates'), found);
        return;
      }
      assert.equal(chosen, found[0]);
    });
    fc.assert(property);
  });
});
