import assert from 'node:assert/strict';
import { test } from 'node:test';

import { metaPackages } from './api-modules.ts';
import { typeErrors } from './test-compile.ts';
import { customModuleText } from './custom-module.ts';
import type { ResourceFacts } from './descriptor.ts';
import { loadApiModel, splitSchemaId } from './model.ts';

const facts: ResourceFacts = {
  group: 'example.com',
  version: 'v1',
  resource: 'things',
  kind: 'Thing',
  singular: 'thing',
  namespaced: true,
  verbs: ['get'],
  subresources: [],
  shortNames: [],
  categories: [],
};

test('imports the types of meta/v1 that exist, and declares the others', () => {
  const { schemas } = loadApiModel();
  const ids = Object.keys(schemas).filter((id) => metaPackages.has(splitSchemaId(id).path));
  assert.ok(ids.length > 20);
  const properties = Object.fromEntries(ids.map((id) => [splitSchemaId(id).name, { $ref: id }]));
  const schema = { type: 'object', properties };
  const text = customModuleText(
    { group: 'example.com', version: 'v1' },
    [{ facts, listKind: 'ThingList', schema }],
    schemas,
  );
  assert.match(text, /import type \{[^}]*\bCondition,[^}]*\} from 'client-ts\/meta';/);
  assert.match(text, /MicroTime\?: MicroTime;/);
  assert.match(text, /export interface APIResourceList \{/);
  assert.doesNotMatch(text, /unknown;/);
  assert.deepEqual(typeErrors({ 'v1.ts': text }), []);
});
