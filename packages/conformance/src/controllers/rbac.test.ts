import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { configMaps } from 'client-ts/api/core/v1';
import { Manager, StartUpError } from 'client-ts/controller';
import { Clientset } from 'client-ts/kubernetes';
import { parseManifests, writeManifests } from 'client-ts/manifests';
import { isForbidden } from 'client-ts/meta';
import { compareRoles, RbacEnforcer, RbacRecorder } from 'client-ts/rbac';
import { waitFor } from 'client-ts/wait';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from './test-namespace.ts';

for (const target of targets) {
  describe(`roles from what a program does, ${target.name}`, () => {
    let world: TestNamespace;

    before(async () => {
      world = await startNamespace(target);
    });

    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    /** A manager that keeps a copy of each labelled ConfigMap. */
    const copying = (config: TestNamespace['target']['config']): Manager => {
      const { namespace } = world;
      const ignore = (): void => undefined;
      const manager = new Manager(config, {
        leaderElection: { name: 'copies', namespace },
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      });
      manager.controller('copies', {
        for: { resource: configMaps, namespace, labelSelector: 'original' },
        reconcile: async ({ metadata, data }, { apply, event }) => {
          await apply(configMaps, {
            metadata: { name: `${metadata.name}-copy` },
            ...(data && { data }),
          });
          event('Normal', 'Copied', 'there is a copy');
        },
      });
      return manager;
    };

    const run = async (manager: Manager, name: string): Promise<void> => {
      const maps = world.client.coreV1.configMaps(world.namespace);
      const running = manager.run();
      await maps.create({ metadata: { name, labels: { original: '' } }, data: { name } });
      await waitFor(maps, `${name}-copy`, (copy) => copy !== undefined);
      await manager.close();
      await running;
    };

    it('records the role of a manager, with which it runs, and without which it does not', async () => {
      const { namespace } = world;
      const recorder = new RbacRecorder();
      await using manager = copying(recorder.record(world.target.config));
      await run(manager, 'one');
      const namespaceOf = (used: string): string => (used === namespace ? 'shop' : used);
      const roles = recorder.roles({ name: 'copies', namespaceOf });
      assert.equal(
        writeManifests(roles),
        `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: copies
  namespace: shop
rules:
- apiGroups:
  - ""
  resources:
  - configmaps
  verbs:
  - list
  - watch
  - create
  - patch
- apiGroups:
  - ""
  resources:
  - events
  verbs:
  - create
- apiGroups:
  - coordination.k8s.io
  resources:
  - leases
  verbs:
  - get
  - create
  - update
`,
      );
      assert.deepEqual(compareRoles(roles, recorder.permissions, { namespaceOf }), {
        missing: [],
        excess: [],
      });
      const enforcer = new RbacEnforcer(recorder.roles({ name: 'copies' }));
      await using enforced = copying(enforcer.enforce(world.target.config));
      await run(enforced, 'two');
      enforcer.throwIfDenied();
    });

    it('fails at the call that needs more, and names the rule', async () => {
      const { namespace } = world;
      const manifest = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: ${namespace} }
rules: [{ apiGroups: [''], resources: [configmaps], verbs: [get, list] }]`;
      const denied: string[] = [];
      const enforcer = new RbacEnforcer(parseManifests(manifest), {
        onDenied: (_permission, message) => void denied.push(message),
      });
      await using client = new Clientset(enforcer.enforce(world.target.config));
      const maps = client.coreV1.configMaps(namespace);
      await maps.list();
      await assert.rejects(maps.create({ metadata: { name: 'more' } }), (error) => {
        assert.ok(isForbidden(error));
        assert.match(String(error), /the enforced role does not allow to create configmaps in/);
        return true;
      });
      const rule = `Add this rule to the Role in ${namespace} of the program:
- apiGroups: [""]
  resources: ["configmaps"]
  verbs: ["create"]`;
      assert.deepEqual(denied, [
        `the enforced role does not allow to create configmaps in "${namespace}". ${rule}`,
      ]);
      assert.throws(() => enforcer.throwIfDenied(), {
        code: 'RBAC_DENIED',
        message: `the role does not allow: create configmaps in "${namespace}"`,
        hint: rule,
      });
      // The manager takes it for what a server says.
      await using manager = copying(enforcer.enforce(world.target.config));
      await assert.rejects(
        manager.run(),
        (error) => error instanceof StartUpError && error.problems.length > 0,
      );
    });

    it('checks the create of an apply when the object was created', async () => {
      const { namespace } = world;
      const manifest = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: applier, namespace: ${namespace} }
rules: [{ apiGroups: [''], resources: [configmaps], verbs: [patch] }]`;
      const enforcer = new RbacEnforcer(parseManifests(manifest));
      await using client = new Clientset(enforcer.enforce(world.target.config));
      const maps = client.coreV1.configMaps(namespace);
      const apply = () => maps.apply({ metadata: { name: 'applied' } }, { fieldManager: 'test' });
      await assert.rejects(apply(), isForbidden);
      await apply();
    });
  });
}
