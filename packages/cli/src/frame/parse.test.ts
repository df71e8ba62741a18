import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CommandDescription } from './command.ts';
import type { Flags } from './flags.ts';
import { parseCall } from './parse.ts';
import { UsageError } from './usage-error.ts';

const flags: Flags = {
  'all-namespaces': { type: 'boolean', short: 'A', about: 'everywhere' },
  cached: { type: 'boolean', default: true, about: 'from the cache' },
  namespaced: { type: 'boolean', optional: true, about: 'in namespaces' },
  output: { type: 'string', short: 'o', value: 'FORMAT', about: 'how' },
  namespace: { type: 'string', short: 'n', value: 'NAME', about: 'where', default: 'default' },
  limit: { type: 'integer', value: 'N', about: 'how many', max: 500 },
  interval: { type: 'duration', about: 'how often', default: 1000 },
  'sort-by': { type: 'choice', value: 'COLUMN', choices: ['name', 'kind'], about: 'order' },
  verbs: { type: 'list', value: 'VERB', commas: true, about: 'which' },
  group: { type: 'list', value: 'GROUP', about: 'who' },
  watch: { type: 'boolean', short: 'w', about: 'go on' },
};

const description: CommandDescription = {
  name: 'test',
  summary: 'test',
  usage: ['WORD…'],
  about: [],
  examples: [],
  flags,
  positionals: [{ name: 'WORD', about: 'a word' }],
};

test('accepts flags and positionals in any order and form', () => {
  const calls: [args: string[], flags: Record<string, unknown>, positionals: string[]][] = [
    [['pods', '-A'], { 'all-namespaces': true }, ['pods']],
    [['-Aw', 'pods', 'web'], { 'all-namespaces': true, watch: true }, ['pods', 'web']],
    [['-Awnkube-system'], { 'all-namespaces': true, watch: true, namespace: 'kube-system' }, []],
    [['-n', 'a', 'x', '-o=json'], { namespace: 'a', output: 'json' }, ['x']],
    [['-ojson', '--namespace=b', '--', '-w'], { output: 'json', namespace: 'b' }, ['-w']],
    [['--output', '--weird'], { output: '--weird' }, []],
    [['--output='], { output: '' }, []],
    [['-o', 'jsonpath={.a=="b"}'], { output: 'jsonpath={.a=="b"}' }, []],
    [['--cached=false', '-w=false', '--namespaced=f'], { cached: false, namespaced: false }, []],
    [['--limit', '12', '--interval=1m30s'], { limit: 12, interval: 90_000 }, []],
    [['--verbs=a,b', '--verbs', 'c,', '--group=x,y', '--group', 'z'], {}, []],
    [['--sort-by', 'kind', '-'], { 'sort-by': 'kind' }, ['-']],
    [['-n', 'a', '-n', 'b'], { namespace: 'b' }, []],
  ];
  for (const [args, expected, positionals] of calls) {
    const call = parseCall(description, args);
    assert.deepEqual(call.positionals, positionals, args.join(' '));
    const values: Record<string, unknown> = { ...call.flags };
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(values[name], value);
  }
  const lists = parseCall(description, [
    '--verbs=a,b',
    '--verbs',
    'c,',
    '--group=x,y',
    '--group=z',
  ]);
  assert.deepEqual(lists.flags['verbs'], ['a', 'b', 'c']);
  assert.deepEqual(lists.flags['group'], ['x,y', 'z']);
});

test('applies defaults, and records which flags were set', () => {
  const { flags, given } = parseCall(description, ['-A', '--limit=0']);
  assert.deepEqual(flags, {
    'all-namespaces': true,
    cached: true,
    namespaced: undefined,
    output: undefined,
    namespace: 'default',
    limit: 0,
    interval: 1000,
    'sort-by': undefined,
    verbs: [],
    group: [],
    watch: false,
    debug: false,
    help: false,
  });
  assert.deepEqual(given, new Set(['all-namespaces', 'limit']));
});

test('names invalid arguments, with a suggestion', () => {
  const calls: [args: string[], message: string][] = [
    [['--bogus'], 'unknown flag --bogus'],
    [['--constructor'], 'unknown flag --constructor'],
    [['--namspace', 'x'], 'unknown flag --namspace; did you mean --namespace?'],
    [['-x'], 'unknown flag -x'],
    [['-Ax'], 'unknown flag -x'],
    [['--output'], '--output needs a value: FORMAT'],
    [['--interval'], '--interval needs a value: DURATION'],
    [['--cached=maybe'], '--cached must be true or false, not "maybe"'],
    [['--limit=-1'], '--limit must be a whole number up to 500, not "-1"'],
    [['--limit=501'], '--limit must be a whole number up to 500, not "501"'],
    [
      ['--interval=soon'],
      '--interval must be a length of time such as 30s, 5m or 1h30m, not "soon"',
    ],
    [['--sort-by=nmae'], '--sort-by must be one of name, kind, not "nmae"; did you mean name?'],
  ];
  for (const [args, message] of calls) {
    assert.throws(() => parseCall(description, args), new UsageError(message));
  }
});

test('checks the number of positionals', () => {
  const named = { ...description, required: 1, most: 2 };
  assert.throws(() => parseCall(named, []), /WORD is required/);
  assert.deepEqual(parseCall(named, ['a', 'b']).positionals, ['a', 'b']);
  assert.throws(() => parseCall(named, ['a', 'b', 'c']), /unexpected argument c/);
  const { positionals: _, ...none } = description;
  assert.throws(() => parseCall(none, ['a']), /unexpected argument a/);
});
