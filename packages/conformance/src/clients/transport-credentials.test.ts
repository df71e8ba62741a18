import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import type { Credentials, CredentialSource } from 'client-ts/transport';

import {
  bodyText,
  choices,
  connect,
  Directory,
  get,
  Listening,
  whoAmI,
} from './test-transports.ts';

const tokens = { new: { name: 'jane', groups: ['dev'] } };

for (const protocol of choices) {
  describe(`credentials, ${protocol}`, () => {
    it('follow a token file, immediately after a 401', async () => {
      await using server = await ApiServer.start({ tokens });
      await using directory = await Directory.create();
      const tokenFile = await directory.write('token', 'refused\n');
      await using transport = connect(server, { protocol, auth: { tokenFile } });
      const refused = await get(transport);
      assert.equal(refused.status, 401);
      await bodyText(refused);
      await directory.write('token', 'new\n');
      assert.deepEqual((await whoAmI(transport)).username, 'jane');
    });

    it('come from a source that is called again after a 401, once for many requests', async () => {
      await using server = await ApiServer.start({ tokens });
      let current: Credentials = { authorization: 'Bearer expired' };
      const refusals: Credentials[] = [];
      let runs = 0;
      const source: CredentialSource = {
        get: async () => current,
        refused: (credentials) => {
          refusals.push(credentials);
          if (credentials !== current) return;
          runs += 1;
          current = { authorization: 'Bearer new' };
        },
      };
      await using transport = connect(server, { protocol, auth: { source } });
      const users = await Promise.all(Array.from({ length: 20 }, () => whoAmI(transport)));
      assert.ok(users.every(({ username }) => username === 'jane'));
      assert.equal(runs, 1);
      assert.equal(refusals.length, 20);
    });
  });

  describe(`impersonation, ${protocol}`, () => {
    it('sends user, uid, groups and extra', async () => {
      await using server = await ApiServer.start();
      const impersonate = {
        user: 'jürgen',
        uid: '42',
        groups: ['dev', 'ops, night'],
        extra: { 'example.com/team': ['a', 'b'], 'with space %': ['ü'] },
      };
      await using transport = connect(server, { protocol, impersonate });
      const { username, uid, groups, extra } = await whoAmI(transport);
      assert.deepEqual(
        {
          user: username,
          uid,
          groups: groups?.filter((group) => !group.startsWith('system:')),
          extra,
        },
        impersonate,
      );
    });
  });
}

describe('credentials', () => {
  it('appear in no message of the diagnostics channel', async () => {
    const token = 'a-very-secret-token';
    await using server = await ApiServer.start({ token });
    using start = new Listening('client-ts:request:start');
    using attempts = new Listening('client-ts:request:attempt');
    using end = new Listening('client-ts:request:end');
    using opened = new Listening('client-ts:connection:open');
    using _ = server.faults.add({ fault: { kind: 'reset', at: 'before-handling' }, count: 1 });
    await using transport = connect(server);
    await bodyText(await get(transport));
    assert.equal(attempts.messages.length, 2);
    const seen = [start, attempts, end, opened].map(({ messages }) => messages);
    assert.doesNotMatch(JSON.stringify(seen), /secret/);
  });
});
