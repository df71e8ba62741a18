import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { type ApiModel, readApiModel } from '@client-ts/codegen';

const file = new URL('../../../codegen/model/apimodel.json', import.meta.url);

test('the embedded server publishes the model that it was made from', async () => {
  await using server = await ApiServer.start({ runtimeConfig: { 'api/all': true } });
  await using transport = server.transport();
  const published = await readApiModel(transport);
  const model = JSON.parse(await readFile(file, 'utf8')) as ApiModel;
  assert.equal(published.kubernetes, model.kubernetes);
  assert.deepEqual(published.groupVersions, model.groupVersions);
  assert.deepEqual(published.schemas, model.schemas);
});
