import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parseManifests } from 'client-ts/manifests';

import { load } from '../test-objects.ts';
import { testCli } from '../test-cli.ts';
import { compareWithKubectl } from '../test-kubectl.ts';

const file = fileURLToPath(new URL('../../testdata/described.yaml', import.meta.url));

test('commands that change objects print what kubectl prints', async (t) => {
  const cli = await testCli(t);
  await load(cli, parseManifests(readFileSync(file, 'utf8'), { source: file }));
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const path = join(cli.directory, 'web.json');
  writeFileSync(path, JSON.stringify(web));
  process.chdir(cli.directory);
  const lines = `
    delete cm settings --dry-run=server | delete cm settings empty --dry-run=server
    delete deploy/web svc/web --dry-run=server | delete cm -l app=web --dry-run=server
    delete pods -A -l app=web --dry-run=server | delete cm --all --dry-run=server -o name
    delete pods --field-selector metadata.name=plain --dry-run=server | delete node node-1 --dry-run=server
    delete -f web.json --dry-run=server | delete cm -l app=nothing | delete cm missing
    delete cm missing --ignore-not-found | delete cm settings --dry-run=server --now
    delete cm settings --dry-run=server --grace-period=0 | delete cm settings --dry-run=server --force
    wait --for=create -f web.json | wait --for=create deploy --all | wait --for=create pods -A -l app=web
    wait --for=condition=Available deploy/web | wait --for=condition=Ready pods -l app=nothing
    wait --for=jsonpath={.status.phase}=Running pod/web-1-a
    scale deploy/web --replicas=3 --dry-run=server | scale -f web.json --replicas=3 --dry-run=server
    scale sts --all --replicas=1 --dry-run=server | scale rs -l app=web --replicas=1 --dry-run=server
    scale deploy/missing --replicas=1
    cordon node-1 | cordon -l kubernetes.io/hostname=node-1 | cordon node-2 --dry-run=server
    uncordon node-1 --dry-run=server | uncordon node-2 | cordon missing
    drain node-1 --force --delete-emptydir-data --dry-run=server | drain node-1 --dry-run=server
    rollout history deploy/web | rollout history -f web.json | rollout history deploy/web --revision=1
    rollout status deploy/web --watch=false | rollout status sts/db --watch=false
    rollout undo deploy/web --to-revision=7 | rollout restart deploy -l app=nothing
    get pod/plain --subresource=status -o name | get deploy web --subresource=scale -o name
  `;
  const commands = lines
    .trim()
    .split(/ \| |\n */)
    .map((line) => (/cordon|drain|-A/.test(line) ? line : `${line} -n shop`))
    .map((line) => line.split(' '));
  await compareWithKubectl(t, cli, 'operations', commands);
});
