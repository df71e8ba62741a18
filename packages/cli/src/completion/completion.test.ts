import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { testContext } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { testCli } from '../test-cli.ts';

test('completes commands, flags and values', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  const cases: [words: string[], found: RegExp][] = [
    [[''], /^get\tprint objects[^]*\nwatch\t[^]*\n:\n$/],
    [['api'], /^api-resources\t.*\napi-versions\t.*\n:\n$/],
    [['help', 'ser'], /^serve\t.*\n:\n$/],
    [['nope', ''], /^:\n$/],
    [['get', 'deploy'], /^deployments\n:\n$/],
    [['get', 'pods,serv'], /^pods,serviceaccounts\npods,servicecidrs\npods,services\n:\n$/],
    [['get', '--sho'], /^--show-labels\t.*\n--show-managed-fields\t.*\n--show-kind\t.*\n:\n$/],
    [['get', '--', '--sho'], /^:\n$/],
    [['get', '-o', 'js'], /^json\njsonpath=\njsonpath-as-json=\n:nospace\n$/],
    [['get', '-o', 'ya'], /^yaml\n:\n$/],
    [['get', '-Ao', 'ya'], /^yaml\n:\n$/],
    [['get', 'pods', '--output=ya'], /^--output=yaml\n:\n$/],
    [['get', '--output=json', '-o=json', 'deploy'], /^deployments\n:\n$/],
    [['get', 'pods', '-n', 'sh'], /^shop\n:\n$/],
    [['get', 'pods', '--namespace=sh'], /^--namespace=shop\n:\n$/],
    [['get', '--context', ''], /^client-ts\n:\n$/],
    [['get', '--kubeconfig', ''], /^:files\n$/],
    [['generate', '--out', 'x'], /^:directories\n$/],
    [['generate', '--crd', 'a', 'b'], /^:files\n$/],
    [['get', 'pods', 'we'], /^:\n$/],
    [['api-resources', '--sort-by', ''], /^name\nkind\n:\n$/],
    [['api-resources', '--cached='], /^--cached=true\n--cached=false\n:\n$/],
    [['completion', ''], /^bash\nzsh\nfish\n:\n$/],
  ];
  for (const [words, found] of cases) {
    const { out, code } = await cli.run('__complete', '--', ...words);
    assert.match(out, found, words.join(' '));
    assert.equal(code, 0);
  }
});

test('offers nothing without a server or for an invalid line', async (t) => {
  const cli = await testCli(t);
  await cli.server.stopServing();
  for (const words of [
    ['get', 'po'],
    ['get', '-n', ''],
    ['get', '--bogus', '--kubeconfig', '/nowhere', '-n', ''],
    ['get', '--kubeconfig', '/nowhere', '--context', ''],
  ]) {
    const { out, code } = await cli.run('__complete', '--', ...words);
    assert.deepEqual([code, out], [0, ':\n'], words.join(' '));
  }
});

test('prints scripts for three shells', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const context = testContext();
    assert.equal(await run(['completion', shell], context), 0);
    assert.match(context.text(), /client-ts __complete --/);
  }
  const context = testContext();
  assert.equal(await run(['completion', 'fihs'], context), 2);
  assert.match(context.errorText(), /no completion for fihs.*did you mean fish\?/);
});

test('bash completes through the script', async (t) => {
  const { directory } = await testCli(t);
  const context = testContext();
  await run(['completion', 'bash'], context);
  writeFileSync(join(directory, 'script'), context.text());
  // Replaces the command: prints its arguments, and candidates.
  writeFileSync(
    join(directory, 'client-ts'),
    `#!/bin/sh
printf '%s|' "$@" > asked
printf -- '--output=json\\tabout\\n--output=jsonpath=\\n:nospace\\n'
`,
  );
  chmodSync(join(directory, 'client-ts'), 0o755);
  const script = `
    source script
    COMP_LINE='client-ts get pods --output=js and more' COMP_POINT=30
    _client_ts 2> /dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"
    cat asked
    COMP_LINE='client-ts get ' COMP_POINT=14
    _client_ts 2> /dev/null
    cat asked`;
  const printed = execFileSync('bash', ['--norc', '-c', script], {
    cwd: directory,
    env: { PATH: `${directory}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  assert.equal(printed, 'json\njsonpath=\n__complete|--|get|pods|--output=js|__complete|--|get||');
});
