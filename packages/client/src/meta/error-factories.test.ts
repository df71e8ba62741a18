import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiError } from './api-error.ts';
import * as create from './error-factories.ts';
import { newGenericServerResponse } from './error-factories.ts';

const configMaps = { group: '', resource: 'configmaps' };
const deployments = { group: 'apps', resource: 'deployments' };
const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The Status as a server writes it, key order included, without what is the same in all. */
function wire(error: ApiError): string {
  const text = JSON.stringify(error.status);
  const head = '{"kind":"Status","apiVersion":"v1","metadata":';
  assert.ok(text.startsWith(head), text);
  return text.slice(head.length, -1);
}

function failure(rest: string): string {
  return `{},"status":"Failure",${rest}`;
}

/** What kube-apiserver 1.36 sent for each. */
const recorded: readonly (readonly [string, ApiError, string])[] = [
  [
    'not found, core group',
    create.newNotFound(configMaps, 'none'),
    failure(
      String.raw`"message":"configmaps \"none\" not found","reason":"NotFound","details":{"name":"none","kind":"configmaps"},"code":404`,
    ),
  ],
  [
    'not found, named group',
    create.newNotFound(deployments, 'none'),
    failure(
      String.raw`"message":"deployments.apps \"none\" not found","reason":"NotFound","details":{"name":"none","group":"apps","kind":"deployments"},"code":404`,
    ),
  ],
  [
    'already exists',
    create.newAlreadyExists(configMaps, 'one'),
    failure(
      String.raw`"message":"configmaps \"one\" already exists","reason":"AlreadyExists","details":{"name":"one","kind":"configmaps"},"code":409`,
    ),
  ],
  [
    'conflict',
    create.newConflict(
      configMaps,
      'one',
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
    failure(
      String.raw`"message":"Operation cannot be fulfilled on configmaps \"one\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"one","kind":"configmaps"},"code":409`,
    ),
  ],
  [
    'apply conflict',
    create.newApplyConflict(
      [{ reason: 'FieldManagerConflict', message: 'conflict with "m2"', field: '.data.z' }],
      'Apply failed with 1 conflict: conflict with "m2": .data.z',
    ),
    failure(
      String.raw`"message":"Apply failed with 1 conflict: conflict with \"m2\": .data.z","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"m2\"","field":".data.z"}]},"code":409`,
    ),
  ],
  [
    'expired version',
    create.newResourceExpired('The resourceVersion for the provided watch is too old.'),
    failure(
      '"message":"The resourceVersion for the provided watch is too old.","reason":"Expired","code":410',
    ),
  ],
  [
    'expired page',
    create.newResourceExpired('too old', 'bmV4dA'),
    '{"continue":"bmV4dA"},"status":"Failure","message":"too old","reason":"Expired","code":410',
  ],
  [
    'bad request',
    create.newBadRequest('metadata.managedFields must be nil'),
    failure('"message":"metadata.managedFields must be nil","reason":"BadRequest","code":400'),
  ],
  [
    'unauthorized',
    create.newUnauthorized(),
    failure('"message":"Unauthorized","reason":"Unauthorized","code":401'),
  ],
  [
    'forbidden to list',
    create.newForbidden(configMaps, '', 'User "jane" cannot list'),
    failure(
      String.raw`"message":"configmaps is forbidden: User \"jane\" cannot list","reason":"Forbidden","details":{"kind":"configmaps"},"code":403`,
    ),
  ],
  [
    'forbidden to get',
    create.newForbidden(configMaps, 'x', 'User "jane" cannot get'),
    failure(
      String.raw`"message":"configmaps \"x\" is forbidden: User \"jane\" cannot get","reason":"Forbidden","details":{"name":"x","kind":"configmaps"},"code":403`,
    ),
  ],
  [
    'forbidden path',
    create.newForbidden({ group: '', resource: '' }, '', 'User "jane" cannot get path "/metrics"'),
    failure(
      String.raw`"message":"forbidden: User \"jane\" cannot get path \"/metrics\"","reason":"Forbidden","details":{},"code":403`,
    ),
  ],
  [
    'method, for no particular resource',
    newGenericServerResponse({ code: 405, verb: 'PUT' }),
    failure(
      '"message":"the server does not allow this method on the requested resource","reason":"MethodNotAllowed","details":{},"code":405',
    ),
  ],
  [
    'resource not known',
    newGenericServerResponse({ code: 404, verb: 'GET' }),
    failure(
      '"message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404',
    ),
  ],
  [
    'media type not offered',
    create.newNotAcceptable(mediaTypes),
    failure(
      '"message":"only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf","reason":"NotAcceptable","code":406',
    ),
  ],
  [
    'media type not read',
    create.newUnsupportedMediaType(mediaTypes),
    failure(
      '"message":"the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf","reason":"UnsupportedMediaType","code":415',
    ),
  ],
  [
    'media type of a patch',
    newGenericServerResponse({
      code: 415,
      verb: 'PATCH',
      serverMessage: '415: Unsupported Media Type',
    }),
    failure(
      '"message":"415: Unsupported Media Type","reason":"UnsupportedMediaType","details":{},"code":415',
    ),
  ],
  [
    'body too large',
    create.newRequestEntityTooLarge('limit is 3145728'),
    failure(
      '"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge","code":413',
    ),
  ],
  [
    'version of the future',
    create.newTooLargeResourceVersion('9999999', 9933),
    failure(
      '"message":"Timeout: Too large resource version: 9999999, current: 9933","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504',
    ),
  ],
  [
    'version of the future, no wait',
    create.newTooLargeResourceVersion(9, 3, 0),
    failure(
      '"message":"Timeout: Too large resource version: 9, current: 3","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]},"code":504',
    ),
  ],
  [
    'eviction refused',
    create.newTooManyRequests('Cannot evict', 10, [{ reason: 'DisruptionBudget', message: 'why' }]),
    failure(
      '"message":"Cannot evict","reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget","message":"why"}],"retryAfterSeconds":10},"code":429',
    ),
  ],
  [
    'an error without a Status',
    create.newUnknownError('strconv.ParseUint: parsing "abc": invalid syntax'),
    failure(String.raw`"message":"strconv.ParseUint: parsing \"abc\": invalid syntax","code":500`),
  ],
  [
    'internal error',
    create.newInternalError('no luck'),
    failure(
      '"message":"Internal error occurred: no luck","reason":"InternalError","details":{"causes":[{"message":"no luck"}]},"code":500',
    ),
  ],
];

describe('Status bodies are those of a real server', () => {
  for (const [what, error, expected] of recorded) {
    it(what, () => assert.equal(wire(error), expected));
  }
});

describe('newInvalid', () => {
  const kind = { group: 'apps', kind: 'Deployment' };
  const cause = (field: string): { reason: string; message: string; field: string } => ({
    reason: 'FieldValueRequired',
    message: 'Required value',
    field,
  });

  it('names the kind, not the resource', () => {
    const { status } = create.newInvalid(kind, 'd', [cause('spec.selector')]);
    assert.equal(status.message, 'Deployment.apps "d" is invalid: spec.selector: Required value');
    assert.deepEqual(status.details, {
      name: 'd',
      group: 'apps',
      kind: 'Deployment',
      causes: [cause('spec.selector')],
    });
    assert.equal(status.code, 422);
  });

  it('brackets several findings', () => {
    const { message } = create.newInvalid(kind, 'd', [cause('a'), cause('b')]);
    assert.equal(message, 'Deployment.apps "d" is invalid: [a: Required value, b: Required value]');
  });

  it('lists equal findings once but keeps their causes', () => {
    const error = create.newInvalid(kind, 'd', [cause('a'), cause('a')]);
    assert.equal(error.message, 'Deployment.apps "d" is invalid: a: Required value');
    assert.equal(error.status.details?.causes?.length, 2);
  });

  it('needs no findings', () => {
    const error = create.newInvalid(kind, '', []);
    assert.equal(error.message, 'Deployment.apps "" is invalid');
    assert.equal(error.status.details?.causes, undefined);
  });
});

describe('newGenericServerResponse', () => {
  const reason = (code: number, verb = 'GET'): string =>
    newGenericServerResponse({ code, verb }).reason;

  it('finds the reason for a code', () => {
    const codes = [400, 401, 403, 404, 405, 406, 409, 415, 422, 429, 500, 502, 503, 504, 418];
    assert.deepEqual(
      codes.map((code) => reason(code)),
      [
        'BadRequest',
        'Unauthorized',
        'Forbidden',
        'NotFound',
        'MethodNotAllowed',
        'NotAcceptable',
        'Conflict',
        'UnsupportedMediaType',
        'Invalid',
        'TooManyRequests',
        'InternalError',
        'InternalError',
        'ServiceUnavailable',
        'Timeout',
        '',
      ],
    );
    assert.equal(reason(409, 'POST'), 'AlreadyExists');
  });

  it('names the verb, the resource and the object', () => {
    const { message, status } = newGenericServerResponse({
      code: 404,
      verb: 'GET',
      resource: deployments,
      name: 'web',
      retryAfterSeconds: 2,
    });
    assert.equal(
      message,
      'the server could not find the requested resource (get deployments.apps web)',
    );
    assert.deepEqual(status.details, {
      name: 'web',
      group: 'apps',
      kind: 'deployments',
      retryAfterSeconds: 2,
    });
    assert.equal(
      newGenericServerResponse({ code: 429, verb: 'list', resource: configMaps }).message,
      'the server has received too many requests and has asked us to try again later (list configmaps)',
    );
  });

  it('includes the text of the body', () => {
    const { message, status } = newGenericServerResponse({
      code: 500,
      verb: 'GET',
      serverMessage: 'bad "gateway"',
      isUnexpectedResponse: true,
    });
    assert.equal(
      message,
      'an error on the server ("bad \\"gateway\\"") has prevented the request from succeeding',
    );
    assert.deepEqual(status.details?.causes, [
      { reason: 'UnexpectedServerResponse', message: 'bad "gateway"' },
    ]);
    assert.equal(
      newGenericServerResponse({ code: 406, verb: 'GET', serverMessage: 'unknown' }).message,
      'the server was unable to respond with a content type that the client supports',
    );
    const refused = (serverMessage: string): string =>
      newGenericServerResponse({ code: 406, verb: 'GET', serverMessage }).message;
    assert.equal(refused(''), refused('unknown'));
    assert.equal(refused('only JSON'), 'only JSON');
    assert.equal(
      newGenericServerResponse({ code: 418, verb: 'GET' }).message,
      'the server responded with the status code 418 but did not return more information',
    );
  });
});

describe('other messages', () => {
  const cases: readonly (readonly [ApiError, string])[] = [
    [
      create.newGenerateNameConflict(configMaps, 'a-x', 1),
      'configmaps "a-x" already exists, the server was not able to generate a unique name for the object',
    ],
    [
      create.newServerTimeout(deployments, 'create', 2),
      'The create operation against deployments.apps could not be completed at this time, please try again.',
    ],
    [
      create.newMethodNotSupported(deployments, 'patch'),
      'patch is not supported on resources of kind "deployments.apps"',
    ],
    [create.newTimeoutError('slow', 0), 'Timeout: slow'],
    [create.newGone('old'), 'old'],
    [create.newServiceUnavailable('down'), 'down'],
  ];
  for (const [error, message] of cases) {
    it(message, () => assert.equal(error.message, message));
  }
});
