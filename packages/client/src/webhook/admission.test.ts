import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionResponse } from '../api/admission/v1.ts';
import type { RawExtension } from '../meta/types.ts';
import { type Admission, allowed, denied } from './admission.ts';
import { review, type Site, siteObject, sites } from './test-reviews.ts';
import { Webhooks, type ValidatingOptions } from './webhooks.ts';

const VALIDATE = '/validate-example-com-v1-site';
const MUTATE = '/mutate-example-com-v1-site';
const raw = (site: Site): RawExtension => site as unknown as RawExtension;

function validating(handle: ValidatingOptions<Site>['handle']): Webhooks {
  const webhooks = new Webhooks({ onError: () => {} });
  webhooks.validating(sites, { handle, operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] });
  return webhooks;
}

describe('a validating webhook', () => {
  it('gets the typed request and answers with its uid', async () => {
    const seen: Admission<Site>[] = [];
    const webhooks = validating((admission) => {
      seen.push(admission);
    });
    const object = raw(siteObject({ replicas: 2 }));
    const oldObject = raw(siteObject({ replicas: 1 }));
    const { http, response } = await review(webhooks, VALIDATE, {
      operation: 'UPDATE',
      object,
      oldObject,
      dryRun: true,
      subResource: 'status',
    });
    assert.equal(http.headers['content-type'], 'application/json');
    assert.deepEqual(response, { uid: 'call-1', allowed: true });
    const [admission] = seen;
    assert.ok(admission?.operation === 'UPDATE');
    assert.equal(admission.object.spec.replicas, 2);
    assert.equal(admission.oldObject.spec.replicas, 1);
    const { uid, name, namespace, subresource, dryRun, userInfo, resource, kind } = admission;
    assert.deepEqual(
      [uid, name, namespace, subresource, dryRun, userInfo.username, resource.resource, kind.kind],
      ['call-1', 'web', 'ns', 'status', true, 'ada', 'sites', 'Site'],
    );
    assert.equal(admission.request.operation, 'UPDATE');
  });

  it('has only the old object of a deletion, and only the new one of a creation', async () => {
    const seen: unknown[] = [];
    const webhooks = validating(({ operation, object, oldObject, dryRun, name }) => {
      seen.push([operation, object !== undefined, oldObject !== undefined, dryRun, name]);
    });
    const site = raw(siteObject({}));
    await review(webhooks, VALIDATE, { operation: 'DELETE', oldObject: site });
    const { name: _name, ...unnamed } = { name: '', object: site };
    await review(webhooks, VALIDATE, { ...unnamed, name: '' });
    assert.deepEqual(seen, [
      ['DELETE', false, true, false, 'web'],
      ['CREATE', true, false, false, ''],
    ]);
  });

  it('accepts the kind of another subresource than status', async () => {
    const kinds: unknown[] = [];
    const webhooks = validating(({ object, request }) => {
      kinds.push(Reflect.get(Object(object ?? request.object), 'kind'));
    });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } };
    const update = { operation: 'UPDATE', object: scale, oldObject: scale } as const;
    await review(webhooks, VALIDATE, { ...update, subResource: 'scale' });
    const exec = { apiVersion: 'v1', kind: 'PodExecOptions' };
    await review(webhooks, VALIDATE, { operation: 'CONNECT', object: exec, subResource: 'exec' });
    assert.deepEqual(kinds, ['Scale', 'PodExecOptions']);
  });

  const verdicts: readonly (readonly [string, ReturnType<typeof denied>, object])[] = [
    ['allowed', allowed(), { allowed: true }],
    [
      'allowed with warnings',
      allowed({ warnings: ['image is old'], auditAnnotations: { checked: 'yes' } }),
      { allowed: true, warnings: ['image is old'], auditAnnotations: { checked: 'yes' } },
    ],
    [
      'denied',
      denied('replicas must be odd'),
      {
        allowed: false,
        status: {
          status: 'Failure',
          code: 403,
          message: 'replicas must be odd',
          reason: 'Forbidden',
        },
      },
    ],
    [
      'denied with causes',
      denied('invalid', { code: 422, causes: [{ field: 'spec.replicas', message: 'odd' }] }),
      {
        allowed: false,
        status: {
          status: 'Failure',
          code: 422,
          message: 'invalid',
          reason: 'Invalid',
          details: { causes: [{ field: 'spec.replicas', message: 'odd' }] },
        },
      },
    ],
  ];
  for (const [name, verdict, expected] of verdicts) {
    it(`answers ${name}`, async () => {
      const webhooks = validating(async () => verdict);
      const { response } = await review(webhooks, VALIDATE, { object: raw(siteObject({})) });
      assert.deepEqual(response, { uid: 'call-1', ...expected });
    });
  }
});

/** The patch of a response. */
function patchOf(response: AdmissionResponse | undefined): unknown {
  assert.equal(response?.patchType, 'JSONPatch');
  return JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString());
}

describe('a mutating webhook', () => {
  it('answers with the patch of what was changed in place', async () => {
    const webhooks = new Webhooks();
    webhooks.mutating(sites, {
      mutate: (site) => {
        site.spec.image ??= 'nginx';
        delete site.spec.ports;
      },
    });
    const object = raw(siteObject({ replicas: 1, ports: [80] }));
    const { response } = await review(webhooks, MUTATE, { object });
    assert.equal(response?.allowed, true);
    assert.deepEqual(patchOf(response), [
      { op: 'remove', path: '/spec/ports' },
      { op: 'add', path: '/spec/image', value: 'nginx' },
    ]);
  });

  it('answers with the patch of a returned object, and leaves the old one alone', async () => {
    const webhooks = new Webhooks();
    const images: unknown[] = [];
    webhooks.mutating(sites, {
      mutate: async (site, { operation, oldObject }) => {
        images.push(operation, oldObject?.spec.image);
        return { ...site, spec: { ...site.spec, image: 'b' } };
      },
    });
    const { response } = await review(webhooks, MUTATE, {
      operation: 'UPDATE',
      object: raw(siteObject({ image: 'c' })),
      oldObject: raw(siteObject({ image: 'a' })),
    });
    assert.deepEqual(images, ['UPDATE', 'a']);
    assert.deepEqual(patchOf(response), [{ op: 'replace', path: '/spec/image', value: 'b' }]);
  });

  it('has no patch if nothing changed', async () => {
    const webhooks = new Webhooks();
    webhooks.mutating(sites, { mutate: (site) => ({ ...site, extra: undefined }) });
    const { response } = await review(webhooks, MUTATE, { object: raw(siteObject({})) });
    assert.deepEqual(response, { uid: 'call-1', allowed: true });
  });

  it('can warn and deny', async () => {
    const webhooks = new Webhooks();
    webhooks.mutating(sites, {
      mutate: (site) => {
        if (site.spec.replicas === 0) return denied('no replicas');
        site.spec.image = 'nginx';
        return allowed({ warnings: ['image was set'] });
      },
    });
    const warned = await review(webhooks, MUTATE, { object: raw(siteObject({})) });
    assert.deepEqual(warned.response?.warnings, ['image was set']);
    assert.equal((patchOf(warned.response) as unknown[]).length, 1);
    const refused = await review(webhooks, MUTATE, { object: raw(siteObject({ replicas: 0 })) });
    assert.equal(refused.response?.allowed, false);
    assert.equal(refused.response?.patch, undefined);
  });

  it('admits operations that have no object to change', async () => {
    const webhooks = new Webhooks();
    webhooks.mutating(sites, { mutate: () => denied('never called') });
    const oldObject = raw(siteObject({}));
    const { response } = await review(webhooks, MUTATE, { operation: 'DELETE', oldObject });
    assert.deepEqual(response, { uid: 'call-1', allowed: true });
  });
});
