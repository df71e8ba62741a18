import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiError, parseFieldSelector, parseLabelSelector } from 'client-ts/meta';

import { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { MemoryStore } from '../store/memory-store.ts';
import {
  buildPredicate,
  type ListOptions,
  parseListOptions,
  parseListResourceVersion,
  parseResourceVersion,
  type Predicate,
} from './list-options.ts';

function parse(query: string, watch = false): ListOptions {
  return parseListOptions(new URLSearchParams(query), watch);
}

/** Returns code and message of the error, without the common prefix. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    const { code, message } = error.status;
    return `${code} ${message?.replace('ListOptions.meta.k8s.io "" is invalid: ', '')}`;
  }
  return assert.fail('not refused');
}

describe('parseListOptions', () => {
  it('reads all options', () => {
    const options = parse(
      'labelSelector=a%3Db&fieldSelector=metadata.name%3Dc&limit=5&continue=t&timeoutSeconds=9',
    );
    assert.equal(options.labelSelector.matches({ a: 'b' }), true);
    assert.equal(options.labelSelector.matches({}), false);
    assert.equal(options.fieldSelector.matches({ 'metadata.name': 'c' }), true);
    assert.equal(options.fieldSelector.matches({ 'metadata.name': 'd' }), false);
    assert.equal(options.limit, 5);
    assert.equal(options.continueToken, 't');
    assert.equal(options.timeoutSeconds, 9);
    assert.equal(options.watch, false);
  });

  it('has defaults', () => {
    const { labelSelector, fieldSelector, ...rest } = parse('');
    assert.ok(labelSelector.isEmpty && fieldSelector.isEmpty);
    assert.deepEqual(rest, {
      watch: false,
      limit: 0,
      continueToken: '',
      resourceVersion: '',
      resourceVersionMatch: '',
      allowWatchBookmarks: false,
      sendInitialEvents: undefined,
      timeoutSeconds: undefined,
    });
  });

  it('uses the first of several values', () => {
    assert.equal(parse('limit=1&limit=x').limit, 1);
  });

  for (const [text, value] of [
    ['', true],
    ['yes', true],
    ['1', true],
    ['0', false],
    ['false', false],
    ['False', false],
    ['f', true],
  ] as const) {
    it(`reads allowWatchBookmarks=${text} as ${value}`, () => {
      assert.equal(parse(`allowWatchBookmarks=${text}`, true).allowWatchBookmarks, value);
    });
  }

  for (const [query, message] of [
    ['limit=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['timeoutSeconds=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    [
      'limit=9223372036854775808',
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
  ] as const) {
    it(`rejects ${query}`, () =>
      assert.equal(
        refusal(() => parse(query)),
        `400 ${message}`,
      ));
  }

  it('rejects invalid selectors', () => {
    assert.match(
      refusal(() => parse('labelSelector=a%20b')),
      /^400 unable to parse requirement/,
    );
    assert.match(
      refusal(() => parse('fieldSelector=nonsense')),
      /^400 invalid selector/,
    );
  });

  const forbidden = (detail: string): string =>
    `resourceVersionMatch: Forbidden: resourceVersionMatch ${detail}`;
  const unlessVersion = forbidden('is forbidden unless resourceVersion is provided');
  const withContinue = forbidden('is forbidden when continue is provided');
  const unlessInitial = forbidden('is forbidden for watch unless sendInitialEvents is provided');
  const notOlder =
    'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  const unsupported = (value: string, choices: string): string =>
    `resourceVersionMatch: Unsupported value: "${value}": supported values: ${choices}`;

  /** The errors of a real server for combinations of options; empty if accepted. */
  const combinations: readonly [query: string, list: string[], watch: string[]][] = [
    [
      'resourceVersion=5&resourceVersionMatch=Exact',
      [],
      [unlessInitial, unsupported('Exact', '"NotOlderThan"')],
    ],
    ['resourceVersion=5&resourceVersionMatch=NotOlderThan', [], [unlessInitial]],
    ['resourceVersionMatch=NotOlderThan', [unlessVersion], [unlessInitial]],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      [forbidden('"exact" is forbidden for resourceVersion "0"')],
      [unlessInitial, unsupported('Exact', '"NotOlderThan"')],
    ],
    [
      'resourceVersion=5&resourceVersionMatch=Odd',
      [unsupported('Odd', '"Exact", "NotOlderThan", ""')],
      [unlessInitial, unsupported('Odd', '"NotOlderThan"')],
    ],
    [
      'resourceVersion=5&resourceVersionMatch=Exact&continue=t',
      [withContinue],
      [unlessInitial, unsupported('Exact', '"NotOlderThan"'), withContinue],
    ],
    ['continue=t', [], [withContinue]],
    ['continue=t&resourceVersion=0', [], [withContinue]],
    ['continue=t&resourceVersion=5', [], []],
    [
      'sendInitialEvents=true',
      ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
      [notOlder],
    ],
    [
      'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=5',
      ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
      [],
    ],
    [
      'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5',
      ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
      [notOlder, unsupported('Exact', '"NotOlderThan"')],
    ],
  ];
  for (const [query, ...expected] of combinations) {
    for (const [index, findings] of expected.entries()) {
      const isWatch = index === 1;
      it(`${findings.length === 0 ? 'accepts' : 'rejects'} ${query} ${isWatch ? 'for a watch' : 'for a list'}`, () => {
        if (findings.length === 0) {
          assert.ok(parse(query, isWatch));
          return;
        }
        const all = findings.length === 1 ? findings[0] : `[${findings.join(', ')}]`;
        assert.equal(
          refusal(() => parse(query, isWatch)),
          `422 ${all}`,
        );
      });
    }
  }
});

describe('parseResourceVersion', () => {
  it('returns a number, or undefined for an empty text', () => {
    assert.equal(parseResourceVersion(''), undefined);
    assert.equal(parseResourceVersion('0'), 0);
    assert.equal(parseListResourceVersion('17'), 17);
  });

  it('fails with 500 for a watch and with 400 for a list', () => {
    for (const text of ['abc', '-1', '+1', '1.5', ' 1']) {
      const problem = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
      assert.equal(
        refusal(() => parseResourceVersion(text)),
        `500 ${problem}`,
      );
      assert.equal(
        refusal(() => parseListResourceVersion(text)),
        `400 invalid resource version: ${problem}`,
      );
    }
    assert.match(
      refusal(() => parseResourceVersion('18446744073709551616')),
      /value out of range$/,
    );
    assert.ok(parseResourceVersion('18446744073709551615'));
  });
});

interface Options {
  readonly fieldLabels?: readonly string[];
  readonly crd?: string;
}

function served({ fieldLabels, crd }: Options = {}): ServedResource {
  const registry = new Registry({
    group: '',
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    hasStatus: true,
    store: new MemoryStore(),
    strategy: {
      selectableFields: (object) => ({
        'spec.color': (object as { color?: string }).color ?? '',
      }),
    },
  });
  return {
    registry,
    info: { ...(crd !== undefined && { crd }) } as ServedResource['info'],
    uncached: false,
    ...(fieldLabels && { fieldLabels }),
    ...(crd !== undefined && {
      conversion: {
        fromStorage: (object) => ({ ...object, color: 'default' }),
        toStorage: (object) => object,
      },
    }),
  };
}

function predicate(labels: string, fields: string, options?: Options): Predicate {
  return buildPredicate(served(options), parseLabelSelector(labels), parseFieldSelector(fields));
}

const object = (color?: string): Parameters<Predicate>[0] =>
  ({ metadata: { name: 'a', namespace: 'n', labels: { app: 'web' } }, color }) as object;

describe('buildPredicate', () => {
  it('matches everything without selectors', () => {
    assert.equal(predicate('', '')({}), true);
  });

  it('requires all selectors to match', () => {
    assert.equal(predicate('app=web', '')(object()), true);
    assert.equal(predicate('app=db', '')(object()), false);
    assert.equal(predicate('!app', '')({}), true);
    assert.equal(predicate('', 'metadata.name=a,metadata.namespace=n')(object()), true);
    assert.equal(predicate('', 'metadata.name=a,metadata.namespace=m')(object()), false);
    assert.equal(predicate('app=web', 'metadata.name=b')(object()), false);
    assert.equal(predicate('app=db', 'metadata.name=a')(object()), false);
  });

  it('knows the selectable fields of the kind', () => {
    const fieldLabels = ['metadata.name', 'spec.color'];
    const red = predicate('', 'spec.color=red', { fieldLabels });
    assert.equal(red(object('red')), true);
    assert.equal(red(object()), false);
    assert.equal(predicate('', 'spec.color=', { fieldLabels })(object()), true);
  });

  it('evaluates custom resources as their version shows them', () => {
    const options = { fieldLabels: ['spec.color'], crd: 'pods.example.com' };
    assert.equal(predicate('', 'spec.color=default', options)(object('stored')), true);
  });

  it('rejects other fields with the message of the kind', () => {
    assert.throws(() => predicate('', 'spec.x=y'), {
      code: 'API_BAD_REQUEST',
      message: '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    assert.throws(() => predicate('', 'metadata.namespace=y', { fieldLabels: ['metadata.name'] }), {
      message: 'field label not supported: metadata.namespace',
    });
  });
});
