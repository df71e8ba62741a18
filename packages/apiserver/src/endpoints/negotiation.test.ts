import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiError } from 'client-ts/meta';

import {
  bodyEncoding,
  contentType,
  mediaRanges,
  negotiate,
  negotiateError,
  type Offer,
  parseAccept,
  type Preferences,
} from './negotiation.ts';

function preferences(accept: string, rest: Partial<Preferences> = {}): Preferences {
  return { accept, pretty: null, userAgent: '', ...rest };
}

const RESOURCE: Offer = {
  projections: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
const CUSTOM: Offer = { ...RESOURCE, encodings: ['json', 'yaml'], behindWebLayer: false };
const META = 'g=meta.k8s.io;v=v1';

/** Summarises the result: encoding and projection, or the error. */
function outcome(accept: string, offer: Offer = RESOURCE): string {
  try {
    const { encoding, projection, projectionVersion } = negotiate(preferences(accept), offer);
    return [encoding, projection, projectionVersion].filter(Boolean).join(' ');
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.code, 406);
    return error.status.message ?? '';
  }
}

const FROM_WEB_LAYER =
  '406: Not Acceptable\n\nAvailable representations: ' +
  'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const FROM_API =
  'only the following media types are accepted: ' +
  'application/json, application/yaml, application/vnd.kubernetes.protobuf';

describe('negotiate', () => {
  for (const [accept, expected] of [
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['application/vnd.kubernetes.protobuf, application/json', 'protobuf'],
    ['application/json;q=0.1,application/yaml', 'yaml'],
    ['application/xml, */*;q=0.1', 'json'],
    ['application/json;charset=utf-8', 'json'],
    ['application/json;stream=watch', 'json'],
    ['application/json;stream=other', FROM_API],
    ['application/yaml;stream=watch,application/json', 'json'],
    ['application/json;sv=v1', 'json'],
    ['application/json;sv=v2', FROM_API],
    ['text/html', FROM_WEB_LAYER],
    ['application/*', FROM_WEB_LAYER],
    ['APPLICATION/JSON', FROM_WEB_LAYER],
    ['garbage', FROM_WEB_LAYER],
    [`application/json;as=Table;${META}`, 'json Table v1'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'json Table v1beta1'],
    [`application/yaml;as=Table;${META}`, 'yaml Table v1'],
    [`*/*;as=Table;${META}`, 'json Table v1'],
    [`application/vnd.kubernetes.protobuf;as=Table;${META}`, FROM_API],
    [`application/vnd.kubernetes.protobuf;as=Table;${META},application/json`, 'json'],
    [
      `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;${META}`,
      'protobuf PartialObjectMetadata v1',
    ],
    [`application/json;as=PartialObjectMetadataList;${META}`, 'json PartialObjectMetadataList v1'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', FROM_API],
    ['application/json;as=Table;v=v1;g=other', FROM_API],
    ['application/json;as=Table', FROM_API],
    ['application/json;v=v1', FROM_API],
    [`application/json;as=Other;${META}`, FROM_API],
    [`application/json;as=Other;${META},application/json`, 'json'],
  ] as const) {
    it(`answers “${accept}” with ${expected.split('\n')[0]}`, () => {
      assert.equal(outcome(accept), expected);
    });
  }

  it('offers no projections where there are none', () => {
    assert.equal(outcome(`application/json;as=Table;${META}`, {}), FROM_API);
  });

  it('lists stream types for resources that can be watched', () => {
    const streams =
      ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    assert.equal(outcome('text/html', { ...RESOURCE, watchable: true }), FROM_WEB_LAYER + streams);
  });

  it('offers JSON and YAML for custom resources, and protobuf for their metadata', () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    assert.equal(outcome(protobuf, CUSTOM), FROM_API);
    assert.equal(
      outcome(`${protobuf};as=PartialObjectMetadata;${META}`, CUSTOM),
      'protobuf PartialObjectMetadata v1',
    );
    assert.equal(outcome('application/*', CUSTOM), 'json');
    assert.equal(outcome('text/html', CUSTOM), FROM_API);
  });

  it('rejects YAML streams without trying the next choice', () => {
    const streams =
      'only the following media types are accepted: ' +
      'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    const watch = { ...RESOURCE, stream: true, watchable: true };
    assert.equal(outcome('application/yaml,application/json', watch), streams);
    assert.equal(outcome('application/json,application/yaml', watch), 'json');
  });
});

describe('pretty-printing', () => {
  const isPretty = (accept: string, rest: Partial<Preferences> = {}): boolean =>
    negotiate(preferences(accept, rest)).pretty;

  it('depends on the query, the media type and the kind of client', () => {
    assert.equal(isPretty(''), false);
    assert.equal(isPretty('', { pretty: 'true' }), true);
    assert.equal(isPretty('application/json;pretty=1'), true);
    for (const userAgent of ['curl/8.0', 'Wget/1', 'Mozilla/5.0 (X11)']) {
      assert.equal(isPretty('', { userAgent }), true, userAgent);
      assert.equal(isPretty('', { userAgent, pretty: 'false' }), false, userAgent);
      assert.equal(isPretty('', { userAgent, pretty: '' }), true, userAgent);
    }
    assert.equal(isPretty('', { userAgent: 'kubectl/v1' }), false);
  });

  it('is enabled only by true values', () => {
    for (const pretty of ['1', 't', 'T', 'true', 'True', 'TRUE']) {
      assert.equal(isPretty('', { pretty }), true, pretty);
    }
    for (const pretty of ['0', 'false', 'yes', 'on']) {
      assert.equal(isPretty('', { pretty }), false, pretty);
    }
    assert.equal(isPretty('application/json;pretty=0'), false);
    assert.equal(isPretty('application/json;pretty=true'), false);
  });

  it('applies only to JSON', () => {
    assert.equal(isPretty('application/yaml', { pretty: 'true' }), false);
  });
});

describe('negotiateError', () => {
  it('uses an encoding that the client accepts', () => {
    assert.deepEqual(negotiateError(preferences('application/yaml')), {
      encoding: 'yaml',
      pretty: false,
    });
    assert.equal(
      negotiateError(preferences('application/vnd.kubernetes.protobuf')).encoding,
      'protobuf',
    );
    assert.deepEqual(negotiateError(preferences('application/*')), {
      encoding: 'json',
      pretty: false,
    });
  });

  it('falls back to indented JSON', () => {
    const fallback = { encoding: 'json', pretty: true };
    assert.deepEqual(negotiateError(preferences('text/html')), fallback);
    assert.deepEqual(negotiateError(preferences('application/json;sv=v1')), fallback);
    assert.deepEqual(negotiateError(preferences(`application/json;as=Table;${META}`)), fallback);
  });
});

describe('content types', () => {
  it('announce frames only for protobuf', () => {
    assert.equal(contentType({ encoding: 'json', pretty: false }, true), 'application/json');
    assert.equal(
      contentType({ encoding: 'protobuf', pretty: false }, true),
      'application/vnd.kubernetes.protobuf;stream=watch',
    );
    assert.equal(contentType({ encoding: 'yaml', pretty: false }), 'application/yaml');
  });

  for (const [header, encoding] of [
    ['', 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['text/plain', undefined],
    ['application/json; charset', undefined],
    ['application/json;;', undefined],
  ] as const) {
    it(`map a body of type “${header}” to ${encoding}`, () => {
      assert.equal(bodyEncoding(header), encoding);
    });
  }

  it('know which encodings an endpoint reads', () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    assert.equal(bodyEncoding(protobuf, ['json', 'yaml']), undefined);
  });
});

/** Returns the ranges in the order in which the server tries them. */
function order(header: string): string[] {
  return parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
}

describe('parseAccept', () => {
  it('sorts by quality and keeps the order of equals', () => {
    assert.deepEqual(order('a/a, b/b, c/c'), ['a/a', 'b/b', 'c/c']);
    assert.deepEqual(order('a/a;q=0.1, b/b;q=0.9, c/c'), ['c/c', 'b/b', 'a/a']);
  });

  it('prefers specific types to wildcards, even with a lower quality', () => {
    assert.deepEqual(order('*/*, application/json'), ['application/json', '*/*']);
    assert.deepEqual(order('application/*, application/json'), [
      'application/json',
      'application/*',
    ]);
    assert.deepEqual(order('*/*;q=0.9, a/b;q=0.1'), ['a/b', '*/*']);
  });

  it('reads parameters other than the quality', () => {
    const [clause] = parseAccept('application/json; as=Table ;v=v1;g=meta.k8s.io;q=0.5;odd');
    assert.equal(clause?.quality, 0.5);
    assert.deepEqual(
      [...(clause?.parameters ?? [])],
      [
        ['as', 'Table'],
        ['v', 'v1'],
        ['g', 'meta.k8s.io'],
      ],
    );
  });

  it('treats an invalid quality as absent', () => {
    assert.equal(parseAccept('a/b;q=x')[0]?.quality, 0);
  });

  it('skips invalid media ranges', () => {
    assert.deepEqual(order('garbage, a/b/c, ;;;, a/b'), ['a/b']);
    assert.deepEqual(order('*'), ['*/*']);
  });
});

describe('mediaRanges', () => {
  it('returns the ranges as written', () => {
    assert.deepEqual(mediaRanges('a/b;q=1, C/D , *'), ['a/b', 'C/D', '*']);
  });
});
