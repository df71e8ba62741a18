import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'yaml';

import { pod, type TestCli, testCli } from '../test-cli.ts';

const pods = '/api/v1/namespaces/default/pods';

async function withObjects(t: Parameters<typeof testCli>[0]): Promise<TestCli> {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await cli.create(pods, pod('web-0', { labels: { app: 'web' }, nodeName: 'node-1' }));
  await cli.create(pods, pod('web-1', { labels: { app: 'web', canary: 'true' } }));
  await cli.create('/api/v1/namespaces/shop/pods', pod('cart'));
  await cli.create('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { ports: [{ port: 80 }], clusterIP: 'None' },
  });
  await cli.create('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      },
    },
  });
  return cli;
}

/** Ages depend on the speed of the machine. */
function ageless(text: string): string {
  return text.replaceAll(/\b\d+s\b/g, '0s');
}

test('prints the columns of kubectl', async (t) => {
  const cli = await withObjects(t);
  const cases: [args: string, table: string][] = [
    [
      'pods',
      `
NAME    READY   STATUS    RESTARTS   AGE
web-0   0/1     Pending   0          0s
web-1   0/1     Pending   0          0s
`,
    ],
    [
      'po -A --show-labels -L canary',
      `
NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE   CANARY   LABELS
default     web-0   0/1     Pending   0          0s             app=web
default     web-1   0/1     Pending   0          0s    true     app=web,canary=true
shop        cart    0/1     Pending   0          0s             <none>
`,
    ],
    [
      'Pod web-0 -o wide',
      `
NAME    READY   STATUS    RESTARTS   AGE   IP       NODE     NOMINATED NODE   READINESS GATES
web-0   0/1     Pending   0          0s    <none>   node-1   <none>           <none>
`,
    ],
    [
      'deploy.v1.apps,pods -l app=web',
      `
NAME        READY   STATUS    RESTARTS   AGE
pod/web-0   0/1     Pending   0          0s
pod/web-1   0/1     Pending   0          0s
`,
    ],
    [
      'deploy/web pod/web-1 pod/web-0',
      `
NAME                  READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web   0/3     0            0           0s

NAME        READY   STATUS    RESTARTS   AGE
pod/web-1   0/1     Pending   0          0s
pod/web-0   0/1     Pending   0          0s
`,
    ],
    ['pods -n shop --no-headers', '\ncart   0/1   Pending   0     0s\n'],
    [
      'pods --field-selector spec.nodeName=node-1 --no-headers',
      '\nweb-0   0/1   Pending   0     0s\n',
    ],
    [
      'pods --sort-by .spec.nodeName --no-headers -o custom-columns=N:.metadata.name',
      '\nweb-1\nweb-0\n',
    ],
    ['pods --limit 1 --no-headers', '\nweb-0   0/1   Pending   0     0s\n'],
  ];
  for (const [args, table] of cases) {
    const { code, out, err } = await cli.run('get', ...args.split(' '));
    assert.equal(err, '', args);
    assert.equal(ageless(`\n${out}`), table, args);
    assert.equal(code, 0);
  }
});

test('expands a category to its members, each once', async (t) => {
  const cli = await withObjects(t);
  const { out } = await cli.run('get', 'all,pods', '-o', 'name');
  assert.deepEqual(out.trimEnd().split('\n').sort(), [
    'deployment.apps/web',
    'pod/web-0',
    'pod/web-1',
    'service/kubernetes',
    'service/web',
  ]);
});

test('prints JSON, YAML and templates', async (t) => {
  const cli = await withObjects(t);
  const list = await cli.run('get', 'pods,svc', '-o', 'json');
  const { apiVersion, kind, items, metadata } = JSON.parse(list.out) as Record<string, unknown>;
  assert.deepEqual([apiVersion, kind, metadata], ['v1', 'List', { resourceVersion: '' }]);
  const [first] = items as [{ kind: string; apiVersion: string; metadata: object }];
  assert.deepEqual([first.kind, first.apiVersion], ['Pod', 'v1']);
  assert.ok(!('managedFields' in first.metadata));
  assert.equal((items as unknown[]).length, 4);
  assert.match(
    list.out,
    /^\{\n {4}"apiVersion": "v1",\n {4}"items": \[\n {8}\{\n {12}"apiVersion"/,
  );

  const yaml = await cli.run('get', 'pods,svc', '-o', 'yaml');
  assert.deepEqual(parse(yaml.out), JSON.parse(list.out));
  const one = await cli.run('get', 'pod/web-0', '-o', 'json', '--show-managed-fields');
  assert.match(one.out, /"managedFields": \[/);
  assert.equal((JSON.parse(one.out) as { kind: string }).kind, 'Pod');

  const empty = await cli.run('get', 'pods', '-n', 'nowhere', '-o', 'json');
  assert.deepEqual((JSON.parse(empty.out) as { items: unknown }).items, []);
  const emptyYaml = await cli.run('get', 'pods', '-n', 'nowhere', '-o', 'yaml');
  assert.equal(
    emptyYaml.out,
    'apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: ""\n',
  );

  const template = '{range .items[*]}{.metadata.name}={.spec.nodeName};{end}';
  const printed = await cli.run('get', 'pods', '-o', `jsonpath=${template}`);
  assert.equal(printed.out, 'web-0=node-1;web-1=;');
  const asJson = await cli.run('get', 'pod', 'web-1', '-o', 'jsonpath-as-json={.metadata.labels}');
  assert.deepEqual(JSON.parse(asJson.out), [{ app: 'web', canary: 'true' }]);
  const columns = await cli.run('get', 'pods', '-o', 'custom-columns=A:.metadata.labels,B:.spec.x');
  assert.equal(
    columns.out,
    `
A                          B
map[app:web]               <none>
map[app:web canary:true]   <none>
`.slice(1),
  );
});

test('lists in chunks, without gaps or duplicates when the token expires', async (t) => {
  const cli = await testCli(t);
  const names = Array.from({ length: 25 }, (_, index) => `p-${String(index).padStart(2, '0')}`);
  for (const name of names) await cli.create(pods, pod(name));
  for (const format of ['name', 'table', 'json']) {
    for (const expires of [false, true]) {
      const fault = cli.server.faults.add({
        match: { resource: 'pods', verb: 'list' },
        fault: { kind: 'status', code: 410, reason: 'Expired' },
        after: 1,
        count: expires ? 1 : 0,
      });
      const { code, out, err } = await cli.run(
        'get',
        'pods',
        '-o',
        format,
        '--no-headers',
        '--chunk-size',
        '10',
      );
      fault.remove();
      assert.equal(code, 0, err);
      const found = [...out.matchAll(/"name": "(p-\d\d)"|\b(p-\d\d)\b/g)];
      assert.deepEqual([...new Set(found.map(([, quoted, plain]) => quoted ?? plain))], names);
      if (format !== 'json') assert.equal(found.length, names.length);
      assert.equal(fault.matched, 3);
    }
  }
});

test('reports missing objects at the end, with exit code 1', async (t) => {
  const cli = await withObjects(t);
  const some = await cli.run('get', 'pods', 'web-0', 'nope', 'neither');
  assert.equal(some.code, 1);
  assert.match(some.out, /^NAME.*\nweb-0 /);
  assert.equal(
    some.err,
    'client-ts get: pods "nope" not found\nclient-ts get: pods "neither" not found\n',
  );
  const ignored = await cli.run('get', 'pods', 'nope', '--ignore-not-found');
  assert.deepEqual(ignored, { code: 0, out: '', err: '' });
  const none = await cli.run('get', 'pods', '-n', 'nowhere');
  assert.deepEqual(none, { code: 0, out: '', err: 'No resources found in nowhere namespace.\n' });
  const nowhere = await cli.run('get', 'pods', '-A', '-l', 'x=y');
  assert.equal(nowhere.err, 'No resources found\n');
});

test('names mistakes, with a suggestion', async (t) => {
  const cli = await withObjects(t);
  const cases: [args: string, code: number, message: RegExp][] = [
    ['pode', 1, /the server has no resource type "pode"\. Did you mean pods\?\n$/],
    ['zzz', 1, /no resource type "zzz"\. client-ts api-resources lists what the server has\.\n$/],
    ['pods web-0 -A', 2, /cannot be selected by name with -A/],
    ['pods web-0 -l a=b', 2, /names and selectors cannot be combined/],
    ['pods,svc web', 2, /names require a single type: write pods\/web/],
    ['pod/web-0 web-1', 2, /web-1 must be TYPE\/NAME/],
    ['pods svc/web', 2, /svc\/web cannot be combined with the type pods/],
    ['pods -o jsno', 2, /-o must be one of .*, not jsno; did you mean json\?/],
    ['pods -o jsonpath={.a', 2, /is invalid: unclosed action/],
    [
      'pods -o jsonpath={foo}',
      1,
      /^client-ts get: unrecognized identifier foo\. Check the JSONPath template\.\n$/,
    ],
    ['pods -o jsonpath=', 2, /-o jsonpath needs a template/],
    ['pods -o json --show-labels', 2, /--show-labels requires a table/],
    ['pods --sort-by .spec.nope', 1, /no object has the field of --sort-by/],
    ['pods --sort-by .metadata', 1, /has no order/],
    ['pods -w --limit 3', 2, /--limit cannot be combined with --watch/],
    ['pods -l a=(', 1, /unable to parse requirement/],
    ['pods --context nope', 1, /nope/],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await cli.run('get', ...args.split(' '));
    assert.match(outcome.err, message, args);
    assert.equal(outcome.code, code, args);
    assert.equal(outcome.out, '', args);
  }
});

test('prints the type before names, and subresources', async (t) => {
  const cli = await withObjects(t);
  const kinds = await cli.run('get', 'pods', '--show-kind', '--no-headers');
  assert.match(kinds.out, /^pod\/web-0 .*\npod\/web-1 /);
  const scale = await cli.run('get', 'deploy', 'web', '--subresource', 'scale', '-o', 'yaml');
  assert.match(scale.out, /^kind: Scale$/m);
  const all = await cli.run('get', 'deploy', '--subresource', 'scale');
  assert.equal(all.code, 2);
});
