import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let server;
let client;

beforeAll(async () => {
  server = await ApiServer.start();
  client = new Clientset(server.config);
});

afterAll(async () => {
  await client.close();
  await server.close();
});

test('a config map can be read back', async () => {
  const configMaps = client.coreV1.configMaps('default');
  await configMaps.create({ metadata: { name: 'hello' }, data: { greeting: 'hi' } });
  expect((await configMaps.get('hello')).data).toEqual({ greeting: 'hi' });
});
