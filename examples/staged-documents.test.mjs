/** Runs the programs of documents that expect a cluster with objects, on one that has them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { FakeKubelet } from '@client-ts/simulator';
import { Clientset, isNotFound } from 'client-ts';
import { applyObjects, parseManifests } from 'client-ts/manifests';

import { programsOf } from '../scripts/checks/snippets.mjs';

const run = promisify(execFile);
const place = new URL('./dist/staged/', import.meta.url);
/** The timeout of a program that hangs; its output shows where. */
const timeout = 60_000;

/** What the documents take for granted. */
const objects = `
apiVersion: v1
kind: Node
metadata: { name: node-1 }
status: { allocatable: { cpu: '4', memory: 8Gi } }
---
apiVersion: v1
kind: Pod
metadata: { name: web-0, labels: { app: web } }
spec:
  nodeName: node-1
  # Deleted early, and used until it is gone.
  terminationGracePeriodSeconds: 600
  containers: [{ name: app, image: app, command: [http, '80'] }]
---
apiVersion: v1
kind: Pod
metadata: { name: sized }
spec: { nodeName: node-1, containers: [{ name: app, image: app, resources: { requests: { cpu: 100m }, limits: { cpu: 200m } } }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: app, image: app }] } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: backup }
spec: { schedule: 0 3 * * *, jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } } } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

/**
 * Does the work of scheduler, kubelet and job controller: pods run, jobs complete.
 * @param {Clientset} client
 * @param {AbortSignal} signal
 */
async function act(client, signal) {
  const pods = client.coreV1.pods('default');
  const jobs = client.batchV1.jobs('default');
  const now = '2026-01-01T00:00:00Z';
  const deleteNow = (/** @type {string} */ name) =>
    pods.delete(name, { gracePeriodSeconds: 0 }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  const running = async () => {
    for await (const event of pods.watchAll({ signal })) {
      for (const pod of event.type === 'init' ? event.objects : [event.object]) {
        const { metadata, spec, status } = pod;
        if (event.type === 'deleted') continue;
        if (metadata.deletionTimestamp !== undefined) {
          const isQuick = (metadata.deletionGracePeriodSeconds ?? 0) < 60;
          if (isQuick) await deleteNow(metadata.name);
          continue;
        }
        if (status?.phase !== 'Pending') continue;
        if (spec?.nodeName === undefined) await pods.bind(metadata.name, 'node-1');
        const containerStatuses = (spec?.containers ?? []).map(
          ({ name, image = '', resources = {} }) => ({
            name,
            // Without it, the server takes the kubelet for one that cannot resize.
            resources,
            image,
            imageID: image,
            containerID: `test://${metadata.uid}/${name}`,
            ready: true,
            restartCount: 0,
            state: { running: { startedAt: now } },
          }),
        );
        const conditions = [{ type: 'Ready', status: 'True' }];
        const patch = { status: { phase: 'Running', conditions, containerStatuses } };
        await pods.patchStatus(metadata.name, patch, { type: 'merge' });
      }
    }
  };
  const completing = async () => {
    for await (const event of jobs.watchAll({ signal })) {
      for (const { metadata, status } of event.type === 'init' ? event.objects : [event.object]) {
        if (event.type === 'deleted' || status?.completionTime !== undefined) continue;
        const times = { startTime: now, completionTime: now, succeeded: 1 };
        const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
          type,
          status: 'True',
          lastTransitionTime: now,
        }));
        const patch = { status: { ...times, conditions, uncountedTerminatedPods: {} } };
        await jobs.patchStatus(metadata.name, patch, { type: 'merge' });
      }
    }
  };
  await Promise.all([running(), completing()]);
}

for (const path of ['docs/examples.md', 'docs/guides/from-client-node.md']) {
  test(`${path} runs to its end`, async (t) => {
    const kubelet = new FakeKubelet();
    t.after(() => kubelet.close());
    const server = await ApiServer.start({ kubelet });
    t.after(() => server.close());
    const client = new Clientset(server.config);
    t.after(() => client.close());
    const stop = new AbortController();
    await applyObjects(client, parseManifests(objects), { fieldManager: 'test' });
    const acting = act(client, stop.signal).catch((error) => {
      if (!stop.signal.aborted) throw error;
    });
    const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    const [program = ''] = programsOf(text);
    const folder = new URL(`./${basename(path)}/`, place);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const file = new URL('./program.mjs', folder);
    // A port that may be taken on this machine, and the last line, to see that it is reached.
    const staged = `${program.replace('local: 8080', 'local: 0')}\nconsole.log('the end');\n`;
    await writeFile(file, stripTypeScriptTypes(staged));
    await writeFile(new URL('./package.json', folder), '{ "type": "module" }');
    const kubeconfig = new URL('./kubeconfig', folder);
    await writeFile(kubeconfig, server.kubeconfig);
    const env = {
      ...process.env,
      KUBECONFIG: fileURLToPath(kubeconfig),
      NODE_TEST_CONTEXT: undefined,
    };
    const cwd = fileURLToPath(folder);
    try {
      const { stdout } = await run(process.execPath, [fileURLToPath(file)], { cwd, env, timeout });
      assert.match(stdout, /the end\n$/);
    } finally {
      stop.abort();
      await acting;
    }
  });
}
