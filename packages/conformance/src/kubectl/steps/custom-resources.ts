import assert from 'node:assert/strict';
import type { Kubectl, Step } from '../kubectl.ts';

/** A unique group for every run, so that two runs on one cluster do not collide. */
function groupOf(kubectl: Kubectl): string {
  return `${kubectl.namespace}.example.com`;
}

function definition(kubectl: Kubectl): object {
  const size = { type: 'integer', description: 'How big.', minimum: 1 };
  const properties = {
    spec: { type: 'object', properties: { size, replicas: { type: 'integer' } } },
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${groupOf(kubectl)}` },
    spec: {
      group: groupOf(kubectl),
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wgt'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
          subresources: { scale },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        },
      ],
    },
  };
}

function widget(kubectl: Kubectl, spec: object): object {
  return { apiVersion: `${groupOf(kubectl)}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec };
}

/** Custom resources. */
export const crdSteps: readonly Step[] = [
  {
    name: 'apply a CRD and wait for it',
    run: async (kubectl) => {
      await kubectl.okWith({ input: definition(kubectl) }, 'apply', '-f', '-');
      const crd = `crd/widgets.${groupOf(kubectl)}`;
      const met = await kubectl.ok('wait', crd, '--for=condition=Established', '--timeout=30s');
      assert.match(met, /condition met/);
    },
  },
  {
    name: 'apply, get and patch a custom resource',
    run: async (kubectl) => {
      const apply = async (spec: object): Promise<string> =>
        (await kubectl.okWith({ input: widget(kubectl, spec) }, 'apply', '-f', '-')).trim();
      assert.equal(await apply({ size: 1, replicas: 0 }), `widget.${groupOf(kubectl)}/w created`);
      assert.equal(
        await apply({ size: 2, replicas: 0 }),
        `widget.${groupOf(kubectl)}/w configured`,
      );
      assert.match(await kubectl.ok('get', 'wgt'), /^NAME +SIZE$/m);
      assert.match(await kubectl.ok('get', `widgets.${groupOf(kubectl)}`), /^w +2$/m);
      await kubectl.ok('patch', 'wgt', 'w', '--type=merge', '-p', '{"spec":{"size":3}}');
      assert.equal(await kubectl.ok('get', 'wgt', 'w', '-o', 'jsonpath={.spec.size}'), '3');
    },
  },
  {
    name: 'an invalid custom resource is rejected',
    run: async (kubectl) => {
      const said = await kubectl.fails({ input: widget(kubectl, { size: 0 }) }, 'apply', '-f', '-');
      assert.match(said, /spec\.size.* should be greater than or equal to 1/);
    },
  },
  {
    name: 'scale and describe a custom resource',
    run: async (kubectl) => {
      assert.match(await kubectl.ok('scale', 'wgt', 'w', '--replicas=4'), /scaled/);
      assert.equal(await kubectl.ok('get', 'wgt', 'w', '-o', 'jsonpath={.spec.replicas}'), '4');
      assert.match(await kubectl.ok('describe', 'wgt', 'w'), /^Kind: +Widget$/m);
    },
  },
  {
    name: 'explain a custom resource',
    run: async (kubectl) => {
      const text = await kubectl
        .ok('explain', `widgets.${groupOf(kubectl)}.spec`, '--recursive=false')
        .catch(() => kubectl.ok('explain', 'widgets.spec'));
      assert.match(text, /size\s+<integer>/);
      assert.match(text, /How big\./);
    },
  },
  {
    name: 'delete the CRD',
    run: async (kubectl) => {
      const crd = `widgets.${groupOf(kubectl)}`;
      assert.match(await kubectl.ok('delete', 'crd', crd, '--timeout=30s'), /deleted/);
      assert.match(await kubectl.fails({}, 'get', 'wgt'), /doesn't have a resource type|not find/);
    },
  },
];
